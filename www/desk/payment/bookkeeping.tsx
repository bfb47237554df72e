import type { LedgerEntry, Payment } from "gateway-api";
import { gateway, query } from "../api";
import { LedgerLines } from "../components/ledger_lines";
import { Failure } from "../components/list";
import { Note, Panel } from "../components/panel";
import { dateTime } from "../format";
import { eventOf } from "../labels";
import { useDesk, useLoad } from "../use";

export function Bookkeeping({ payment }: { payment: Payment }) {
  const { business } = useDesk();
  const path = `/api/v1/ledger?${query({ businessId: business, paymentId: payment.paymentId })}`;
  const { data, error } = useLoad<LedgerEntry[]>(gateway(path));
  return (
    <Panel title="Bookkeeping" part="ledger">
      {error && <Failure error={error} />}
      {data?.length === 0 && <Note>Nothing is booked yet.</Note>}
      <ul class="cells">
        {data?.map((entry) => (
          <li class="cell" key={entry.entryId} data-part="entry" data-value={entry.event}>
            <div class="cell-line">
              <strong>{eventOf(entry.event)}</strong>
              <small class="from">{dateTime(entry.bookedAt)}</small>
            </div>
            <LedgerLines lines={entry.lines} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
