// Networks and rates with their health.
import type { CurrencyInfo, ExchangeRate, Health } from "gateway-api";
import { gateway } from "../api";
import { CoinIcon, Icon } from "../components/icon";
import { Failure } from "../components/list";
import { Badge, Loading, Note, Panel } from "../components/panel";
import { useLoad } from "../use";

export function System() {
  const health = useLoad<Health>(gateway("/readyz"));
  const currencies = useLoad<CurrencyInfo[]>(gateway("/api/v1/currencies"));
  return (
    <div class="wide">
      <Panel title="Gateway" part="health">
        {health.error && <Failure error={health.error} />}
        {health.data && (
          <p class="with-coin" data-part="ready" data-value={health.data.status}>
            <span class="state good">
              <Icon name="state-deposited" />
              Ready
            </span>
          </p>
        )}
        <ul class="attempts">
          {health.data?.warnings?.map((warning) => (
            <li key={warning} class="warn" data-part="warning">
              {warning}
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="Networks and rates" part="networks">
        {currencies.error && <Failure error={currencies.error} />}
        {!currencies.data && !currencies.error && <Loading rows={4} />}
        {currencies.data && (
          <div class="scroll" tabIndex={0} role="region" aria-label="Networks and rates, table">
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">Currency</th>
                  <th scope="col">Networks</th>
                  <th scope="col" class="number">
                    EUR for one
                  </th>
                </tr>
              </thead>
              <tbody>
                {currencies.data.map(({ currency, name, networks }) => (
                  <tr key={currency} data-part="currency" data-value={currency}>
                    <td data-label="Currency">
                      <span class="with-coin">
                        <CoinIcon currency={currency} />
                        <span>{name}</span>
                      </span>
                    </td>
                    <td data-label="Networks">{networks.map(({ network, deposit }) => (deposit ? network : `${network} (off)`)).join(", ")}</td>
                    <td data-label="EUR for one" class="number">
                      <RateOf currency={currency} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        <Note>A currency without a rate cannot be quoted. A network that is off has no node or no deposit key.</Note>
      </Panel>
    </div>
  );
}

/** Each rate is asked for alone: one that is missing hides no other. */
function RateOf({ currency }: { currency: string }) {
  const { data, error } = useLoad<ExchangeRate[]>(gateway(`/api/v1/rates?from=${currency}&to=EUR`));
  if (error) return <Badge label={{ word: "No rate", icon: "drop", tone: "bad" }} part="no-rate" value={currency} />;
  return <span data-part="rate">{data?.[0]?.rate ?? "–"}</span>;
}
