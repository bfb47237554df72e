import { Accounts } from "../components/accounts";
import { Fold, Panel } from "../../../www/desk/components/panel";
import { plural } from "../../../www/desk/format";
import type { LedgerEntry } from "../model";

export const Ledger = ({ entries }: { entries: LedgerEntry[] }) =>
  entries.length === 0 ? null : (
    <Panel title="Ledger">
      <Fold title={plural(entries.length, "entry", "entries")}>
        {entries.map(({ cause, lines }) => (
          <Accounts lines={lines} cause={cause} key={cause} />
        ))}
      </Fold>
    </Panel>
  );
