import { NetworkIcon } from "../../../www/desk/components/icon";
import { Badge, Copyable, Empty, Note, Panel } from "../../../www/desk/components/panel";
import { Waits } from "../components/waits";
import { dateTime, shorten } from "../../../www/desk/format";
import { WITHDRAWAL, labelOf } from "../../../www/desk/labels";
import type { Withdrawal } from "../model";
import { state } from "../store";

export function Withdrawals() {
  const rows = state.overview?.withdrawals ?? [];
  return (
    <Panel title="Withdrawals">
      {rows.length === 0 ? (
        <Empty
          icon="send"
          title="No withdrawals yet"
          text="Withdraw above, or with POST /api/v1/withdrawals. A withdrawal is completed when its network accepts it."
        />
      ) : (
        <ul class="cells">
          {rows.map((row) => (
            <WithdrawalCell key={row.withdrawId} row={row} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function WithdrawalCell({ row }: { row: Withdrawal }) {
  const isReturned = row.status === "BLOCKED" || row.status === "FAILED";
  return (
    <li class="cell" data-part="withdrawal" data-value={row.status}>
      <div class="cell-line">
        <strong class="sum">
          {row.estimatedWithdrawAmount} {row.withdrawCurrency}
        </strong>
        <Badge label={labelOf(WITHDRAWAL, row.status)} />
      </div>
      <Copyable text={row.recipientAddress} what="the recipient's address">
        <span class="with-coin">
          <NetworkIcon network={row.network} />
          <span>
            <span class="mono">{shorten(row.recipientAddress, 8)}</span>
            {row.destinationTag && ` tag ${row.destinationTag}`}
          </span>
        </span>
      </Copyable>
      <Note>
        {row.clientWithdrawId} · {row.settlementDeductedAmount} {row.settlementCurrency}{" "}
        {isReturned ? "taken and given back" : "taken"}
        {row.addressOwner && row.addressOwner !== "Unknown" && ` · ${row.addressOwner}`}
        {` · ${dateTime(row.createdAt)}`}
      </Note>
      {row.transactionId && (
        <Copyable text={row.transactionId} what="the transaction id">
          <span class="mono">{shorten(row.transactionId)}</span>
        </Copyable>
      )}
      {row.status === "BLOCKED" && <Note>Its recipient is flagged: the screening blocked it, and a callback was sent.</Note>}
      <Waits waits={row.waits} />
    </li>
  );
}
