// Refunds of a payment: what is given back, what is decided about it, and a form for another one.
import type { ListedRefund, Payment } from "gateway-api";
import { useState } from "preact/hooks";
import { gateway, query } from "../api";
import { Dialog } from "../components/dialog";
import { Failure } from "../components/list";
import { Badge, Copyable, Note, Panel } from "../components/panel";
import { RefundActs } from "../components/refund_acts";
import { dateTime, money } from "../format";
import { ofRefund, reasonOf } from "../labels";
import { useDesk, useLoad } from "../use";
import { sentenceOf } from "../waits";
import { RefundForm } from "./refund_form";

export function Refunds({ payment, reload }: { payment: Payment; reload: () => Promise<void> }) {
  const { business, operator } = useDesk();
  const list = useLoad<ListedRefund[]>(gateway(`/api/v1/refunds?${query({ businessId: business, paymentId: payment.paymentId })}`));
  const [isOpen, setOpen] = useState(false);
  const confirmed = payment.deposits.filter(({ status }) => status === "CONFIRMED");
  const reloadAll = async () => {
    await Promise.all([list.reload(), reload()]);
  };
  const done = async () => {
    setOpen(false);
    await reloadAll();
  };
  return (
    <Panel title="Refunds" part="refunds">
      {list.error && <Failure error={list.error} />}
      {list.data?.length === 0 && <Note>Nothing was refunded.</Note>}
      <ul class="cells">
        {list.data?.map((refund) => (
          <RefundCell key={refund.refundId} refund={refund} done={reloadAll} />
        ))}
      </ul>
      {operator.role !== "viewer" && list.data && confirmed.length > 0 && (
        <div class="acts">
          <button type="button" class="act plain" onClick={() => setOpen(true)} data-part="refund-open">
            Refund
          </button>
        </div>
      )}
      {isOpen && (
        <Dialog title={`Refund ${payment.clientPaymentId}`} part="refund-dialog" close={() => setOpen(false)}>
          <RefundForm payment={payment} deposits={confirmed} done={done} />
        </Dialog>
      )}
    </Panel>
  );
}

const CAUSES: Record<string, string> = {
  OVERPAYMENT: "Automatic: too much was paid",
  FOLLOW_UP_DEPOSIT: "Automatic: it was paid already",
  CLAIM: "The payer asked for it on the page",
};

function RefundCell({ refund, done }: { refund: ListedRefund; done: () => Promise<void> }) {
  const { amount, currency, displayAmount, displayCurrency, status, waitingFor, waitingReason, address, createdAt, transactionId, claimedAddress } = refund;
  return (
    <li class="cell" data-part="refund" data-value={waitingFor ?? status}>
      <div class="cell-line">
        <span class="with-coin">
          <span>
            <strong>
              {amount} {currency}
            </strong>
            <small>
              {money(displayAmount, displayCurrency)}, {dateTime(createdAt)}
            </small>
          </span>
        </span>
        <Badge label={ofRefund(refund)} />
      </div>
      {CAUSES[refund.reason] && <p class="from">{CAUSES[refund.reason]}</p>}
      {(address ?? claimedAddress) && <p class="from mono wrap">to {address ?? claimedAddress}</p>}
      {transactionId && (
        <Copyable text={transactionId} what="the transaction of the refund">
          <span class="mono">{transactionId}</span>
        </Copyable>
      )}
      {waitingReason && (
        <p class="quiet-note">
          {waitingFor
            ? `It waits for ${waitingFor === "ADDRESS" ? "an address" : "an approval"} because ${reasonOf(waitingReason)}.`
            : sentenceOf(waitingReason)}
        </p>
      )}
      <RefundActs refund={refund} done={done} />
    </li>
  );
}
