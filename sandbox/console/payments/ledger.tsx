import { Fold, Panel } from "../components/panel";
import { plural } from "../format";
import type { LedgerEntry } from "../model";

export const Ledger = ({ entries }: { entries: LedgerEntry[] }) =>
  entries.length === 0 ? null : (
    <Panel title="Ledger">
      <Fold title={plural(entries.length, "entry", "entries")}>
        {entries.map(({ cause, lines }) => (
          <table class="table" key={cause}>
            <caption class="mono">{cause}</caption>
            <thead>
              <tr>
                <th scope="col">Account</th>
                <th scope="col" class="number">
                  Amount
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map(({ account, asset, amount }) => (
                <tr key={`${account} ${asset}`}>
                  <td>{account.toLowerCase()}</td>
                  <td class="number">
                    {amount} {asset}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </Fold>
    </Panel>
  );
