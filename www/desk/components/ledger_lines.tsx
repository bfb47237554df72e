import type { LedgerLine } from "gateway-api";
import { booked, money } from "../format";
import { ACCOUNTS } from "../labels";

/** What changes on which account, always in the same order. */
export function LedgerLines({ lines }: { lines: LedgerLine[] }) {
  const codes = Object.keys(ACCOUNTS);
  const place = ({ account, currency }: LedgerLine) => codes.indexOf(account) * 2 + Number(currency === "EUR");
  return (
    <ul class="attempts bookings">
      {[...lines]
        .sort((one, other) => place(one) - place(other))
        .map(({ account, currency, amount, uniformAmount }) => (
          <li key={`${account} ${currency}`}>
            <span>{ACCOUNTS[account] ?? account}</span>
            <span>
              {booked(amount, currency)}
              {uniformAmount && currency !== "EUR" && ` (${money(uniformAmount, "EUR")})`}
            </span>
          </li>
        ))}
    </ul>
  );
}
