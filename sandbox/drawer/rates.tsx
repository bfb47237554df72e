import type { ExchangeRate } from "gateway-api";
import { useState } from "preact/hooks";
import { gateway, query } from "../../www/desk/api";
import { Choice, Field } from "../../www/desk/components/fields";
import { Fold } from "../../www/desk/components/panel";
import { useLoad } from "../../www/desk/use";
import { ActForm } from "./acts";
import { post } from "./requests";
import { useCurrencies } from "./world";

/** Rates stay until they are set again; quotes keep theirs while they are valid. */
export const Rates = () => (
  <section class="panel" data-part="rates">
    <Fold title="Rates">
      <RateForm />
    </Fold>
  </section>
);

function RateForm() {
  const [pair, setPair] = useState({ from: "BTC", to: "EUR" });
  const coins = useCurrencies().map(({ currency }): [string, string] => [currency, currency]);
  const { data } = useLoad<ExchangeRate[]>(gateway(`/api/v1/rates?${query(pair)}`));
  const set = async ({ from = "", to = "", rate = "" }: Record<string, string>) => {
    await post("/sandbox/rates", { from, to, rate });
    setPair({ from, to });
    return `One ${from} now costs ${rate} ${to}`;
  };
  return (
    <ActForm act={set} button="Set the rate" part="rate">
      {(errorOf) => (
        <div class="grid narrow">
          <Choice label="One" name="from" options={coins} initial={pair.from} error={errorOf("from")} />
          <Field label="Costs in" name="to" initial={pair.to} required error={errorOf("to")} />
          <Field
            label="Rate"
            name="rate"
            inputmode="decimal"
            required
            error={errorOf("rate")}
            hint={data?.[0] && `Now ${data[0].rate} ${pair.to} for one ${pair.from}`}
          />
        </div>
      )}
    </ActForm>
  );
}
