import { transfer } from "../actions/chain";
import { Field, Form, Input, Select } from "../components/form";
import { Fold } from "../../../www/desk/components/panel";
import type { Values } from "../values";
import type { DepositAddress } from "../model";

/** A transfer of any amount, to any address of the payment, with any tag. */
export function OtherTransfer({ addresses, currency }: { addresses: DepositAddress[]; currency: string }) {
  const options = addresses.map(({ network, address }, index): [string, string] => [String(index), `${network} · ${address}`]);
  const submit = async ({ to, tag, from = "", amount = "", currency = "", replaceable, flagged }: Values) => {
    const given = addresses[Number(to)];
    if (!given) return;
    return transfer({
      network: given.network,
      address: given.address,
      currency,
      amount,
      tag: tag || given.destinationTag,
      from: from.trim(),
      replaceable: replaceable === "on",
      flagged: flagged === "on",
    });
  };
  return (
    <Fold title="Another transfer">
      <Form class="grid" name="transfer" submit={submit}>
        <Field label="Amount">
          <Input name="amount" inputmode="decimal" required part="custom-amount" />
        </Field>
        <Field label="Currency">
          <Input name="currency" defaultValue={currency} required />
        </Field>
        <Field label="To">
          <Select name="to" options={options} initial={String(addresses.findIndex(({ current }) => current))} />
        </Field>
        <Field label="Tag" hint="Empty: the tag of the address. Another one shows what a wrong tag does.">
          <Input name="tag" part="custom-tag" />
        </Field>
        <Field label="From" hint="Empty: the sandbox's default sender.">
          <Input name="from" part="custom-from" />
        </Field>
        <label class="check">
          <input type="checkbox" name="replaceable" />
          <span>Replaceable (BIP 125): not accepted before it is confirmed</span>
        </label>
        <label class="check">
          <input type="checkbox" name="flagged" data-part="custom-flagged" />
          <span>Flag the sender first</span>
        </label>
        <button class="act plain" data-part="send">
          Send
        </button>
      </Form>
    </Fold>
  );
}
