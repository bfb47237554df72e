import { Field, Input, Select, codes, errorOf } from "../components/form";
import { fiatCodes, pairOptions } from "../currencies";
import { type Dialog, state } from "../store";

const RATE_TYPES: [string, string][] = [
  ["", "The gateway decides"],
  ["FIXED", "Fixed within the window"],
  ["FLOATING", "Floating"],
];

const TYPES: [string, string][] = [
  ["ONE_TIME", "One-time"],
  ["REUSABLE", "Reusable"],
];

export function NewPayment({ dialog }: { dialog: Dialog }) {
  const fiat = state.overview?.business?.settlementFiatCurrency;
  return (
    <>
      <Field label="Amount" error={errorOf("displayAmount")}>
        <Input
          name="displayAmount"
          inputmode="decimal"
          defaultValue="25.00"
          required
          autofocus
          part="new-amount"
          error={errorOf("displayAmount")}
        />
      </Field>
      <Field label="Currency" error={errorOf("displayCurrency")}>
        <Select
          name="displayCurrency"
          options={codes(fiatCodes())}
          initial={fiat}
          part="new-currency"
          error={errorOf("displayCurrency")}
        />
      </Field>
      <Field label="Order id" error={errorOf("clientPaymentId")} hint="Your own id, unique per payment.">
        <Input
          name="clientPaymentId"
          defaultValue={dialog.suggestedId}
          required
          part="new-order"
          error={errorOf("clientPaymentId")}
        />
      </Field>
      <Field label="Paid with" error={errorOf("depositCurrency", "network")}>
        <Select
          name="pair"
          options={[["", "The payer chooses"], ...pairOptions("deposit")]}
          initial=""
          part="new-pair"
          error={errorOf("depositCurrency", "network")}
        />
      </Field>
      <Field label="Rate" error={errorOf("rateType")}>
        <Select name="rateType" options={RATE_TYPES} initial="" error={errorOf("rateType")} />
      </Field>
      <Field label="Type" error={errorOf("type")}>
        <Select name="type" options={TYPES} initial="ONE_TIME" part="new-type" error={errorOf("type")} />
      </Field>
      <Field label="Window, minutes" error={errorOf("expirationMinutes")} hint="0: seven days.">
        <Input name="expirationMinutes" type="number" min="0" defaultValue="30" error={errorOf("expirationMinutes")} />
      </Field>
      <Field label="Return URL" error={errorOf("redirectUrl")}>
        <Input name="redirectUrl" type="url" placeholder="http://localhost:3000/thanks" error={errorOf("redirectUrl")} />
      </Field>
    </>
  );
}
