import type { LedgerEntry } from "gateway-api";
import { LedgerLines } from "../components/ledger_lines";
import { List } from "../components/list";
import { dateTime } from "../format";
import { eventOf } from "../labels";
import { useDesk } from "../use";

export function Ledger() {
  const { business } = useDesk();
  return (
    <List<LedgerEntry>
      title="Ledger"
      path="/api/v1/ledger"
      filter={{ businessId: business }}
      columns={["Booked", "Event", "For", "Changes"]}
      id={({ entryId }) => entryId}
      row={({ bookedAt, event, paymentId, clientPaymentId, withdrawalId, clientWithdrawalId, lines }) => [
        dateTime(bookedAt),
        eventOf(event),
        paymentId ? (
          <a class="wrap" href={`#/payments/${paymentId}`}>
            {clientPaymentId}
          </a>
        ) : withdrawalId ? (
          <a class="wrap" href={`#/withdrawals/${withdrawalId}`}>
            {clientWithdrawalId}
          </a>
        ) : (
          "–"
        ),
        <LedgerLines lines={lines} />,
      ]}
      part="entry"
      empty="Nothing is booked yet."
      icon="gauge"
    />
  );
}
