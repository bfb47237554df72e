// What is decided about a refund.
import type { ListedRefund } from "gateway-api";
import { gateway, post } from "../api";
import { tell } from "../announce";
import { useDesk, useIsHead } from "../use";
import { Ask } from "./ask";
import { Field } from "./fields";

/** Gives it an address, approves or cancels it; for those who may. */
export function RefundActs({ refund, done }: { refund: ListedRefund; done: () => Promise<void> }) {
  const { operator } = useDesk();
  const isHead = useIsHead();
  const { refundId, amount, currency, network, reason, status, waitingFor, transactionId, address, waitingReason } = refund;
  if (operator.role !== "manager" || status !== "PENDING") return null;
  const isAsked = reason === "MERCHANT";
  const act = (name: string, said: string) => async (values: Record<string, string>) => {
    const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim()));
    await post(gateway(`/api/v1/refunds/${refundId}/${name}`), body);
    tell(said);
    await done();
  };
  const what = `${amount} ${currency}`;
  // What the merchant asked for above a limit needs more than the token of the business.
  const mayApprove = waitingFor === "APPROVAL" && (isHead || !isAsked);
  const mayCancel = isAsked && !transactionId;
  if (waitingFor !== "ADDRESS" && !mayApprove && !mayCancel) return null;
  return (
    <div class="acts">
      {waitingFor === "ADDRESS" && (
        <Ask
          label="Give an address"
          icon="send"
          title={`Send ${what}`}
          button="Send the refund"
          part="address"
          act={act("address", "The refund is on its way")}
        >
          {(errorOf) => (
            <>
              <p class="caution">Ask the customer for an address on the network {network}. What is sent to a wrong one cannot be taken back.</p>
              <Field label="Address" name="address" required error={errorOf("address")} />
              {(currency === "XRP" || currency === "XLM" || network === "XRP" || network === "XLM") && (
                <Field label="Tag or memo" name="destinationTag" error={errorOf("destinationTag")} hint="If the address has one: without it the money is lost." />
              )}
            </>
          )}
        </Ask>
      )}
      {mayApprove && (
        <Ask label="Approve" icon="check" title={`Approve ${what}?`} button="Approve it" part="approve" act={act("approve", "The refund is approved")}>
          {() => (
            <p>
              It is sent{address ? <> to <span class="mono wrap">{address}</span></> : " to the sender of the deposit"}, and cannot be taken back. It waited because it is
              {waitingReason === "LIMIT" && !isAsked ? " one more than the automatic refunds of a day" : " above the limit of the business"}.
            </p>
          )}
        </Ask>
      )}
      {mayCancel && (
        <Ask label="Cancel" title={`Cancel the refund of ${what}?`} button="Cancel the refund" part="cancel" isGrave act={act("cancel", "The refund is cancelled")}>
          {() => <p>Nothing is sent, and the money is back on the balance. It can be refunded again later.</p>}
        </Ask>
      )}
    </div>
  );
}
