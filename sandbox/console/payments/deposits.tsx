import { drop, flag, mine } from "../actions/chain";
import { ActionButton } from "../components/button";
import { Badge, Copyable, Note, Panel } from "../../../www/desk/components/panel";
import { Waits } from "../components/waits";
import { dateTime, money, plural, shorten } from "../../../www/desk/format";
import { DEPOSIT, SCREENING, labelOf } from "../../../www/desk/labels";
import type { Deposit, PaymentDetail } from "../model";
import { isFlagged } from "../money/flagged_senders";
import { HeldNote } from "../money/held";

export const Deposits = ({ detail }: { detail: PaymentDetail }) => (
  <Panel title="Deposits">
    {detail.deposits.length === 0 ? (
      <Note>No deposits yet.</Note>
    ) : (
      <ul class="cells">
        {detail.deposits.map((deposit) => (
          <DepositCell key={deposit.depositId} deposit={deposit} displayCurrency={detail.payment.displayCurrency} />
        ))}
      </ul>
    )}
  </Panel>
);

function DepositCell({ deposit, displayCurrency }: { deposit: Deposit; displayCurrency: string }) {
  const { network, currency, amount, state, screening, transactionId, fromAddress, refund } = deposit;
  const vanished = state === "VANISHED";
  const isScreened = screening in SCREENING && screening !== "RELEASED" && !vanished;
  return (
    <li class="cell" data-part="deposit" data-value={state}>
      <div class="cell-line">
        <strong class="sum">
          {amount} {currency}
        </strong>
        <Badge label={isScreened ? labelOf(SCREENING, screening) : labelOf(DEPOSIT, state)} />
      </div>
      <Note>
        {money(deposit.displayAmount, displayCurrency)} at {deposit.rate} ({deposit.rateType.toLowerCase()}) · on {network} ·{" "}
        <Confirmations deposit={deposit} />
        {state === "UNCONFIRMED" && !deposit.instant && " · counts when it is confirmed"}
        {screening === "PENDING" && " · not screened yet"}
        {` · ${dateTime(deposit.seenAt)}`}
      </Note>
      <Copyable text={transactionId} what="the transaction id">
        <span class="mono">{shorten(transactionId)}</span>
      </Copyable>
      {fromAddress && (
        <Copyable text={fromAddress} what="the sender's address">
          <span class="from">
            from <span class="mono">{shorten(fromAddress, 8)}</span>
          </span>
        </Copyable>
      )}
      <HeldNote depositId={deposit.depositId} screening={screening} owner={deposit.owner} vanished={vanished} />
      {refund && (
        <p class="pill-line" data-part="refund" data-value={refund.status}>
          <span class="pill warn">
            Refund {words(refund.type)}, {refund.status.toLowerCase().replace("_", "-")}
          </span>
          <span>
            {refund.amount} {currency}, fee {refund.fee} ({words(refund.reason)})
          </span>
        </p>
      )}
      <Waits waits={deposit.waits} />
      {!vanished && <DepositButtons deposit={deposit} />}
    </li>
  );
}

/** `NON_REFUNDABLE` as `non refundable`. */
const words = (constant: string): string => constant.toLowerCase().replaceAll("_", " ");

function Confirmations({ deposit: { confirmations, finality, state } }: { deposit: Deposit }) {
  const showsFinality = finality > 1 && state === "CONFIRMED" && confirmations < finality;
  return (
    <span data-part="confirmations" data-value={confirmations}>
      {showsFinality ? `${confirmations} of ${finality} confirmations` : plural(confirmations, "confirmation")}
    </span>
  );
}

const DepositButtons = ({ deposit: { state, network, transactionId, fromAddress } }: { deposit: Deposit }) => (
  <div class="acts">
    {state === "UNCONFIRMED" && (
      <ActionButton name="mine" action={() => mine(network)} icon="block" part="confirm">
        Confirm
      </ActionButton>
    )}
    <ActionButton name="drop" action={() => drop(transactionId)} icon="drop" tone="plain danger" part="drop">
      Drop it
    </ActionButton>
    {fromAddress && !isFlagged(network, fromAddress) && (
      <ActionButton name="flag" action={() => flag(network, fromAddress)} icon="flag" part="flag">
        Flag the sender
      </ActionButton>
    )}
  </div>
);
