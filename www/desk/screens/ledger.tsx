import type { LedgerEntry } from "gateway-api";
import { LedgerLines } from "../components/ledger_lines";
import { List } from "../components/list";
import { dateTime } from "../format";
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
      row={({ bookedAt, event, paymentId, clientPaymentId, clientWithdrawalId, lines }) => [
        dateTime(bookedAt),
        event.toLowerCase().replace(/_/g, " "),
        paymentId ? <a href={`#/payments/${paymentId}`}>{clientPaymentId}</a> : (clientWithdrawalId ?? "–"),
        <LedgerLines lines={lines} />,
      ]}
      part="entry"
      empty="Nothing is booked yet."
      icon="gauge"
    />
  );
}
