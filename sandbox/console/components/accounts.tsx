import type { Balance } from "../model";

/** Accounts of the ledger. */
const ACCOUNTS: Record<string, string> = {
  FIAT: "Balance, fiat",
  CRYPTO: "Balance, crypto",
  FEES: "Service fees",
  COSTS: "Network fees",
  REFUNDS: "To be refunded",
  WITHDRAWALS: "To be sent",
  CHAIN: "On chains",
  EXCHANGE: "Exchanged",
  HELD: "Held deposits",
};

/** A table of ledger accounts. `cause` is what moved them. */
export const Accounts = ({ lines, cause }: { lines: Balance[]; cause?: string }) => (
  <table class="table">
    {cause && <caption class="mono">{cause}</caption>}
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
          <td>{ACCOUNTS[account] ?? account}</td>
          <td class="number">
            {amount} {asset}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
