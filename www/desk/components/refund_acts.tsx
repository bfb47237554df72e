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
  const { refundId, amount, currency, network, reason, status, waitingFor, transactionId, address, waitingReason, claimedAddress, memoType } = refund;
  if (operator.role !== "manager" || status !== "PENDING") return null;
  const isAsked = reason === "MERCHANT" || reason === "CLAIM";
  const isClaim = waitingFor === "APPROVAL" && waitingReason === "CLAIM";
  const act = (name: string, said: string) => async (values: Record<string, string>) => {
    const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim()));
    await post(gateway(`/api/v1/refunds/${refundId}/${name}`), body);
    tell(said);
    await done();
  };
  // What is approved is what was shown.
  const approve = async () => act("approve", "The refund is approved")({ address: claimedAddress ?? address ?? "", memoType: memoType ?? "", amount });
  const what = `${amount} ${currency}`;
  // What the merchant asked for above a limit needs more than the token of the business.
  const mayApprove = waitingFor === "APPROVAL" && (isHead || !isAsked || isClaim);
  const mayCancel = isAsked && !isClaim && !transactionId;
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
        <Ask label="Approve" icon="check" title={`Approve ${what}?`} button="Approve it" part="approve" act={approve}>
          {() => isClaim ? (
            <p>
              It is sent to <span class="mono wrap">{claimedAddress}</span>, which somebody with the link of the payment named, and cannot be taken back.
              Compare it with what the customer told you.
            </p>
          ) : (
            <p>
              It is sent to {!isAsked && "the sender of the deposit, "}<span class="mono wrap">{address}</span>, and cannot be taken back. It waited because it is
              {waitingReason === "LIMIT" && !isAsked ? " one more than the automatic refunds of a day" : " above the limit of the business"}.
            </p>
          )}
        </Ask>
      )}
      {isClaim && (
        <Ask label="Refuse" title={`Refuse to send ${what}?`} button="Refuse it" part="refuse" isGrave act={act("refuse", "The request is refused")}>
          {(errorOf) => (
            <>
              <p>Nothing is sent to that address, and the page takes no other one. You can still send the money to an address that the customer tells you.</p>
              <Field label="Reason" name="reason" error={errorOf("reason")} hint="The customer reads it on the page." />
            </>
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
