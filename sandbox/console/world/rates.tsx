import { loadRates, setRate } from "../actions/world";
import { Field, Form, Input, Select, codes } from "../components/form";
import { CoinIcon } from "../../../www/desk/components/icon";
import { Note, Panel } from "../../../www/desk/components/panel";
import { coinCodes, fiatCodes } from "../currencies";
import { run } from "../run";
import { state } from "../store";

/** The simulated rates: those of one currency, and a form that sets one of them. */
export function Rates() {
  const { rates, overview, currencies } = state;
  if (!overview || !currencies) return null;
  const current = rates?.rates.find(({ from }) => from === rates.from);
  return (
    <Panel title="Rates">
      <Note>Rates stay until they are set again. Quotes keep theirs while they are valid.</Note>
      <ul class="rates">
        {rates?.rates.map(({ from, rate }) => (
          <li key={from}>
            <span class="with-coin">
              <CoinIcon currency={from} />
              {from}
            </span>
            <span data-part="known-rate" data-value={`${from}/${rate}`}>
              {rate} {rates.to}
            </span>
          </li>
        ))}
      </ul>
      <Form
        class="grid"
        name="rate"
        submit={setRate}
        onInput={({ from = "", to = "" }, { target }) => {
          if ((target as HTMLInputElement).name !== "rate") void run(`load rates ${from} ${to}`, () => loadRates(from, to));
        }}
      >
        <Field label="One">
          <Select name="from" options={codes(coinCodes())} initial={rates?.from} part="rate-from" />
        </Field>
        <Field label="Costs in">
          <Select
            name="to"
            options={codes(fiatCodes())}
            initial={rates?.to ?? overview.business?.settlementFiatCurrency}
            part="rate-to"
          />
        </Field>
        <Field label="Rate" hint={current && `now ${current.rate} ${current.to} per ${current.from}`}>
          <Input name="rate" inputmode="decimal" required part="rate" />
        </Field>
        <button class="act plain" data-part="set-rate">
          Set the rate
        </button>
      </Form>
    </Panel>
  );
}
