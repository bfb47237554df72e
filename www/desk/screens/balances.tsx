import type { Balance } from "gateway-api";
import { gateway, query } from "../api";
import { Failure } from "../components/list";
import { Empty, Loading, Panel } from "../components/panel";
import { eventOf } from "../labels";
import { useDesk, useLoad } from "../use";

const MEANINGS: Record<string, string> = {
  FIAT: "Can be withdrawn",
  CRYPTO: "Can be withdrawn",
  HELD: "Deposits that are held",
  REFUNDS: "On the way back to payers",
  WITHDRAWALS: "On the way out",
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
          {data.map(({ account, currency, amount, available, pending }) => (
            <div key={`${account} ${currency}`} data-part="balance" data-value={`${account} ${currency}`}>
              <dt>{eventOf(account)}</dt>
              <dd>
                {amount} {currency}
                <br />
                <small>{pending && Number(pending) > 0 ? `${available} available, ${pending} not final yet` : MEANINGS[account]}</small>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}
