import { Field } from "../../www/desk/components/fields";
import { ActForm } from "./acts";
import { type Transfer, flag, send, useChain } from "./world";

interface TransferFormProps {
  to: Omit<Transfer, "amount">;
}

/** A transfer of any amount of any coin, on any network, to any address. */
export function TransferForm({ to }: TransferFormProps) {
  const usualSender = useChain(to.network)?.usualSender ?? "";
  const submit = async ({ isReplaceable, isFlagged, ...texts }: Record<string, string>) => {
    const transfer = texts as unknown as Transfer;
    if (isFlagged) await flag(transfer.network, transfer.fromAddress ?? usualSender);
    return send({ ...transfer, ...(isReplaceable && { replaceable: true }) });
  };
  return (
    <ActForm act={submit} button="Send" part="transfer">
      {(errorOf) => {
        const field = (label: string, name: keyof Transfer, hint?: string) => (
          <Field label={label} name={name} initial={String(to[name as keyof typeof to] ?? "")} error={errorOf(name)} hint={hint} />
        );
        return (
          <>
            <div class="grid narrow">
              {field("Amount", "amount")}
              {field("Currency", "currency")}
              {field("Network", "network")}
              {field("Tag", "destinationTag", "Another one shows what a wrong tag does.")}
            </div>
            {field("To", "address")}
            {field("From", "fromAddress", `Empty: ${usualSender}`)}
            <label class="check">
              <input type="checkbox" name="isReplaceable" />
              <span>Replaceable (BIP 125): not accepted before it is confirmed</span>
            </label>
            <label class="check">
              <input type="checkbox" name="isFlagged" data-part="transfer-flagged" />
              <span>Flag the sender first</span>
            </label>
          </>
        );
      }}
    </ActForm>
  );
}
