import type { ListedRefund } from "gateway-api";
import { useState } from "preact/hooks";
import { Filter } from "../components/fields";
import { List } from "../components/list";
import { Badge } from "../components/panel";
import { RefundActs } from "../components/refund_acts";
import { dateTime, money } from "../format";
import { ofRefund, reasonOf } from "../labels";
import { useDesk } from "../use";
import { sentenceOf } from "../waits";

const OPTIONS: [string, string][] = [
  ["", "All refunds"],
  ["APPROVAL", "Wait for an approval"],
  ["ADDRESS", "Wait for an address"],
];

/** Refunds and claims; managers decide about those that wait. */
export function Refunds() {
  const { business } = useDesk();
  const [waitingFor, setWaitingFor] = useState("");
  return (
    <>
      <form class="finder" onSubmit={(event) => event.preventDefault()}>
        <Filter label="Which refunds" value={waitingFor} options={OPTIONS} choose={setWaitingFor} />
      </form>
      <List<ListedRefund>
        title="Refunds"
        path="/api/v1/refunds"
        filter={{ businessId: business, waitingFor }}
        columns={["Order", "Amount", "Status", "Created", "Decide"]}
        id={({ refundId }) => refundId}
        row={(refund, reload) => [
          <a class="wrap" href={`#/payments/${refund.paymentId}`}>
            {refund.clientPaymentId}
          </a>,
          <span>
            {refund.amount} {refund.currency}
            <br />
            <small class="from">{money(refund.displayAmount, refund.displayCurrency)}</small>
          </span>,
          <span>
            <Badge label={ofRefund(refund)} part="status" value={refund.waitingFor ?? refund.status} />
            {refund.waitingReason && (
              <>
                <br />
                <small class="from">{(refund.waitingFor ? reasonOf : sentenceOf)(refund.waitingReason)}</small>
              </>
            )}
          </span>,
          dateTime(refund.createdAt),
          <RefundActs refund={refund} done={reload} />,
        ]}
        part="refund"
        empty={waitingFor ? "No refund waits for this." : "Nothing was refunded yet."}
        icon="resend"
      />
    </>
  );
}
