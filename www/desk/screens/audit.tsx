import { useLoad } from "../use";
import { Failure } from "../components/list";
import { Empty, Loading, Panel } from "../components/panel";
import { dateTime } from "../format";

interface AuditEntry {
  id: string;
  at: number;
  operator: string;
  client: string;
  action: string;
  target: string;
  detail: string;
  outcome: string;
}

const COLUMNS = ["Time", "Operator", "From", "Action", "Outcome", "Detail"];

/** What was done at the desk, newest first. */
export function Audit() {
  const { data, error } = useLoad<AuditEntry[]>("/desk/audit?limit=100");
  return (
    <Panel title="Audit log" part="audit">
      {error && <Failure error={error} />}
      {!data && !error && <Loading rows={4} />}
      {data?.length === 0 && <Empty icon="lock" title="Nothing yet" text="Sign-ins and changes are noted here." />}
      {data && data.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label="Audit log, table">
          <table class="table">
            <thead>
              <tr>
                {COLUMNS.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.map(({ id, at, operator, client, action, target, detail, outcome }) => (
                <tr key={id} data-part="audit-entry" data-value={`${action} ${outcome}`}>
                  <td data-label="Time">{dateTime(at)}</td>
                  <td data-label="Operator">{operator}</td>
                  <td data-label="From">{client || "–"}</td>
                  <td data-label="Action" class="wrap">
                    {action}
                  </td>
                  <td data-label="Outcome">{outcome}</td>
                  <td data-label="Detail" class="wrap">
                    {detail || (target === operator ? "" : target)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
