import { setTerms } from "../actions/world";
import { Field, Form, Input, Select, codes } from "../components/form";
import { Icon } from "../../../www/desk/components/icon";
import { Fact, Fold, Panel } from "../../../www/desk/components/panel";
import { coinCodes } from "../currencies";
import { percent } from "../../../www/desk/format";
import type { Business } from "../model";
import { state } from "../store";

/** The terms of the sandbox's business, and a form that changes them. */
export function Terms() {
  const { business, serviceFees = ["0", "0"] } = state.overview ?? {};
  if (!business) return null;
  const refundsExcess = business.overpaymentPolicy === "EXCESS_REFUND";
  const refundsFollowUps = business.refundFollowUpDepositsForOneTimePayments;
  const deposits = business.supportedDepositCurrencies;
  return (
    <Panel title="Terms of the business">
      <dl class="lines">
        <Fact label="Name">{business.name}</Fact>
        <Fact label="Overpayment" part="overpayment">
          {refundsExcess ? "the excess is refunded" : "all is credited"}
        </Fact>
        <Fact label="Follow-up deposits">{refundsFollowUps ? "are refunded" : "are credited"}</Fact>
        <Fact label="Settlement" part="settled">
          {settlement(business)}
        </Fact>
        <Fact label="Service fees">
          {percent(serviceFees[0])} of deposits, {percent(serviceFees[1])} of withdrawals
        </Fact>
        <Fact label="Accepts">{deposits.length === coinCodes().length ? `all ${deposits.length} coins` : deposits.join(", ")}</Fact>
        <Fact label="Deposit callback">{business.depositReceivedCallbackUrl ?? "none"}</Fact>
        <Fact label="Withdrawal callback">{business.withdrawalCallbackUrl ?? "none"}</Fact>
      </dl>
      <p class="quiet-note">
        <a href={`/desk#/businesses/${business.id}`} data-part="all-settings">
          All settings, endpoints and credentials
        </a>{" "}
        are at the desk.
      </p>
      <Fold title="Change the terms">
        <Form class="grid" name="terms" submit={setTerms}>
          <Field label="Overpayment" hint="Applies to new payments.">
            <Select name="overpaymentPolicy" options={OVERPAYMENT} initial={business.overpaymentPolicy} part="terms-overpayment" />
          </Field>
          <Field label="Follow-up deposits" hint="Applies to new payments.">
            <Select name="followUps" options={FOLLOW_UPS} initial={String(refundsFollowUps)} part="terms-follow-ups" />
          </Field>
          <Field label="Share settled in crypto" hint="0 to 1; goes to the crypto balance.">
            <Input
              name="settlementCryptoRatio"
              inputmode="decimal"
              defaultValue={business.settlementCryptoRatio}
              required
              part="terms-ratio"
            />
          </Field>
          <Field label="Coin">
            <Select
              name="settlementCryptoCurrency"
              options={codes(coinCodes())}
              initial={business.settlementCryptoCurrency}
              part="terms-crypto"
            />
          </Field>
          <button class="act plain" data-part="set-terms">
            <Icon name="check" />
            Set the terms
          </button>
        </Form>
      </Fold>
    </Panel>
  );
}

const OVERPAYMENT: [string, string][] = [
  ["PROCESS", "all is credited"],
  ["EXCESS_REFUND", "the excess is refunded"],
];

const FOLLOW_UPS: [string, string][] = [
  ["false", "are credited"],
  ["true", "are refunded"],
];

function settlement({
  settlementCryptoRatio: ratio,
  settlementCryptoCurrency: coin,
  settlementFiatCurrency: fiat,
}: Business): string {
  if (Number(ratio) === 0) return `all in ${fiat}`;
  if (Number(ratio) === 1) return `all in ${coin}`;
  return `${percent(ratio)} in ${coin}, the rest in ${fiat}`;
}
