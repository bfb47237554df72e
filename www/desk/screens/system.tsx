// Networks and rates with their health.
import type { CurrencyInfo, ExchangeRate, Health } from "gateway-api";
import { gateway } from "../api";
import { CoinIcon } from "../components/icon";
import { Failure } from "../components/list";
import { Badge, Loading, Note, Panel } from "../components/panel";
import { Table } from "../components/table";
import { useLoad } from "../use";

export function System() {
  const health = useLoad<Health>(gateway("/readyz"));
  const currencies = useLoad<CurrencyInfo[]>(gateway("/api/v1/currencies"));
  const warnings = health.data?.warnings ?? [];
  return (
    <div class="wide">
      <Panel title="Gateway" part="health">
        {health.error && <Failure error={health.error} />}
        {health.data && (
          <p>
            {warnings.length === 0 ? (
              <Badge label={{ word: "Ready", icon: "state-deposited", tone: "good" }} part="ready" value={health.data.status} />
            ) : (
              <Badge label={{ word: "Ready, with warnings", icon: "flag", tone: "warn" }} part="ready" value={health.data.status} />
            )}
          </p>
        )}
        {warnings.length > 0 && (
          <ul class="attempts">
            {warnings.map((warning) => (
              <li key={warning} class="warn" data-part="warning">
                {warning}
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel title="Networks and rates" part="networks">
        {currencies.error && <Failure error={currencies.error} />}
        {!currencies.data && !currencies.error && <Loading rows={4} />}
        {currencies.data && (
          <Table
            title="Networks and rates"
            columns={["Currency", "Networks", "EUR for one"]}
            numbers={["EUR for one"]}
            rows={currencies.data}
            id={({ currency }) => currency}
            cells={({ currency, name, networks }) => [
              <span class="with-coin">
                <CoinIcon currency={currency} />
                <span>{name}</span>
              </span>,
              networks.map(({ network, deposit }) => (deposit ? network : `${network} (off)`)).join(", "),
              <RateOf currency={currency} />,
            ]}
            part="currency"
          />
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
