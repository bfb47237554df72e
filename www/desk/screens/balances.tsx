import type { Balance } from "gateway-api";
import { gateway, query } from "../api";
import { Failure } from "../components/list";
import { Empty, Loading, Panel } from "../components/panel";
import { booked } from "../format";
import { ACCOUNTS } from "../labels";
import { useDesk, useLoad } from "../use";

/** What a balance is, and where one goes on from it. */
const NEXT: Record<string, [meaning: string, step: string, href: string]> = {
  FIAT: ["Can be withdrawn", "Withdrawals", "#/withdrawals"],
  CRYPTO: ["Can be withdrawn", "Withdrawals", "#/withdrawals"],
  HELD: ["Deposits that are held", "Decide about them", "#/deposits"],
  REFUNDS: ["On the way back to payers", "Refunds", "#/refunds"],
  WITHDRAWALS: ["On the way out", "Withdrawals", "#/withdrawals"],
};

export function Balances() {
  const { business } = useDesk();
  const { data, error } = useLoad<Balance[]>(gateway(`/api/v1/balances?${query({ businessId: business })}`));
  return (
    <Panel title="Balances" part="balances">
      {error && <Failure error={error} />}
      {!data && !error && <Loading rows={2} />}
      {data?.length === 0 && <Empty icon="wallet" title="No money yet" text="Confirmed deposits are credited here." />}
      {data && data.length > 0 && (
        <dl class="sums">
          {data.map((balance) => (
            <One key={`${balance.account} ${balance.currency}`} balance={balance} />
          ))}
        </dl>
      )}
    </Panel>
  );
}

function One({ balance: { account, currency, amount, available, pending } }: { balance: Balance }) {
  const [meaning, step, href] = NEXT[account] ?? [];
  const hasPending = pending && Number(pending) > 0;
  return (
    <div data-part="balance" data-value={`${account} ${currency}`}>
      <dt>{ACCOUNTS[account] ?? account}</dt>
      <dd>
        {booked(amount, currency)}
        <br />
        <small>
          {hasPending ? `${booked(available ?? "0", currency)} available, ${booked(pending, currency)} not final yet` : meaning}
          {href && Number(amount) !== 0 && (
            <>
              {" · "}
              <a href={href} data-part="next">
                {step}
              </a>
            </>
          )}
        </small>
      </dd>
    </div>
  );
}
