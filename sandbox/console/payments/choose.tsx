import { choose } from "../actions/payments";
import { Field, Form, Select } from "../components/form";
import { Note, Panel } from "../../../www/desk/components/panel";
import { pairLabel } from "../currencies";
import type { PaymentDetail } from "../model";
import { ClockControls } from "../world/clock";

/** Chooses a currency for the payer. */
export function Choose({ detail }: { detail: PaymentDetail }) {
  const pairs = detail.options.map(({ currency, network, estimatedAmount }): [string, string] => [
    `${currency}/${network}`,
    `${pairLabel(currency, network)}${estimatedAmount ? ` · ${estimatedAmount}` : ""}`,
  ]);
  return (
    <Panel title="Simulate the payer">
      <Note>Choose in the checkout as a payer would, or here.</Note>
      <Form class="inline" name="choose" submit={({ pair = "" }) => choose(detail.payment.paymentId, pair)}>
        <Field label="Pay with">
          <Select name="pair" options={pairs} part="pair" />
        </Field>
        <button class="act primary" data-part="choose">
          Choose
        </button>
      </Form>
      <ClockControls heading="Clock of the gateway" />
    </Panel>
  );
}
