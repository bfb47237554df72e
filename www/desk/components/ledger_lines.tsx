import type { LedgerLine } from "gateway-api";

/** What changes on which account. */
export const LedgerLines = ({ lines }: { lines: LedgerLine[] }) => (
  <ul class="attempts bookings">
    {lines.map(({ account, currency, amount, uniformAmount }) => (
      <li key={`${account} ${currency}`}>
        <span>{account.toLowerCase()}</span>
        <span>
          {amount} {currency}
          {uniformAmount && currency !== "EUR" && ` (${uniformAmount} EUR)`}
        </span>
      </li>
    ))}
  </ul>
);
