import { List } from "../components/list";
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

/** What was done at the desk, newest first. */
export const Audit = () => (
  <List<AuditEntry>
    title="Audit log"
    path="/desk/audit"
    own
    filter={{}}
    columns={["Time", "Operator", "From", "Action", "Outcome", "Detail"]}
    id={({ id }) => id}
    row={({ at, operator, client, action, target, detail, outcome }) => [
      dateTime(at),
      <span class="wrap">{operator}</span>,
      client || "–",
      <span class="wrap">{action}</span>,
      outcome,
      detail || target !== operator ? <span class="wrap">{detail || target}</span> : null,
    ]}
    part="audit-entry"
    parts="audit"
    value={({ action, outcome }) => `${action} ${outcome}`}
    empty="Sign-ins and changes are noted here."
    icon="lock"
  />
);
