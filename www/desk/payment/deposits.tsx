import type { Deposit, Payment } from "gateway-api";
import { CoinIcon } from "../components/icon";
import { Badge, Copyable, Note, Panel } from "../components/panel";
import { dateTime, valueOf } from "../format";
import { DEPOSIT, REFUND, labelOf, reasonOf } from "../labels";

export const Deposits = ({ payment }: { payment: Payment }) => (
  <Panel title="Deposits" part="deposits">
    {payment.deposits.length === 0 ? (
      <Note>Nothing was received.</Note>
    ) : (
      <ul class="cells">
        {payment.deposits.map((deposit) => (
          <DepositCell key={deposit.id} deposit={deposit} />
        ))}
      </ul>
    )}
  </Panel>
);

function DepositCell({ deposit }: { deposit: Deposit }) {
  const { depositAmount, depositCurrency, status, fromAddress, transactionId, refund } = deposit;
  return (
    <li class="cell" data-part="deposit" data-value={status}>
      <div class="cell-line">
        <span class="with-coin">
          <CoinIcon currency={depositCurrency} />
          <span>
            <strong>
              {depositAmount} {depositCurrency}
            </strong>
            <small>
              {valueOf(deposit)}, {dateTime(deposit.depositReceivedAt)}
            </small>
          </span>
        </span>
        <Badge label={labelOf(DEPOSIT, status)} />
      </div>
      <Copyable text={transactionId} what="the transaction">
        <span class="mono">{transactionId}</span>
      </Copyable>
      <p class="from mono wrap">from {fromAddress || "an unknown sender"}</p>
      {deposit.beingValued && <p class="caution">There is no rate. It is credited at the first one.</p>}
      {deposit.hold && <p class="caution">It is held for its {deposit.hold.toLowerCase()}, and not credited.</p>}
      {refund && (
        <p class="quiet-note" data-part="automatic-refund" data-value={refund.status}>
          Automatic refund of {refund.amount} {depositCurrency}: {labelOf(REFUND, refund.status).word.toLowerCase()}
          {refund.waitingFor &&
            `, waits for ${refund.waitingFor === "ADDRESS" ? "an address" : "an approval"}${
              refund.waitingReason ? ` because ${reasonOf(refund.waitingReason)}` : ""
            }`}
        </p>
      )}
    </li>
  );
}
