import type { ListedRefund } from "gateway-api";
import { useState } from "preact/hooks";
import { gateway, post } from "../api";
import { tell, tellFailure } from "../announce";
import { Icon } from "../components/icon";
import { List } from "../components/list";
import { Badge } from "../components/panel";
import { dateTime, money } from "../format";
import { REFUND, labelOf } from "../labels";
import { useDesk, words } from "../use";

/** Refunds and claims; managers approve those that wait for it. */
export function Refunds() {
  const { business } = useDesk();
  const [waitingFor, setWaitingFor] = useState("");
  return (
    <>
      <form class="finder" onSubmit={(event) => event.preventDefault()}>
        <span class="pick">
          <select
            aria-label="Which refunds"
            value={waitingFor}
            data-part="filter"
            onChange={(event) => setWaitingFor(event.currentTarget.value)}
          >
            <option value="">All</option>
            <option value="APPROVAL">Wait for an approval</option>
            <option value="ADDRESS">Wait for an address</option>
          </select>
          <Icon name="chevron-down" />
        </span>
      </form>
      <List<ListedRefund>
        title="Refunds"
        path="/api/v1/refunds"
        filter={{ businessId: business, waitingFor }}
        columns={["Order", "Amount", "Status", "Created", "Action"]}
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
          <Badge label={labelOf(REFUND, refund.status)} part="status" value={refund.waitingFor ?? refund.status} />,
          dateTime(refund.createdAt),
          <Decide refund={refund} done={reload} />,
        ]}
        part="refund"
        empty="No refund fits."
        icon="resend"
      />
    </>
  );
}

function Decide({ refund, done }: { refund: ListedRefund; done: () => Promise<void> }) {
  const { operator } = useDesk();
  const [isBusy, setBusy] = useState(false);
  if (refund.waitingFor !== "APPROVAL" || operator.role !== "manager") return null;
  const approve = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await post(gateway(`/api/v1/refunds/${refund.refundId}/approve`));
      tell("The refund is approved");
      await done();
    } catch (error) {
      tellFailure(words(error as Error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <button type="button" class="act plain" aria-disabled={isBusy ? "true" : undefined} data-part="approve" onClick={() => void approve()}>
      Approve
    </button>
  );
}
