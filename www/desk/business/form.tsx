// The settings of a business as a form. Only what is changed is sent.
import type { Business } from "gateway-api";
import { Choice, Field } from "../components/fields";
import { Form } from "../components/form";
import { OVERPAYMENT, REFUND_ADDRESS, THEMES } from "./settings";

interface BusinessFormProps {
  /** `null` for a new one. */
  business?: Business;
  button: string;
  submit: (changes: object) => Promise<void>;
  cancel: () => void;
}

type Kind = "text" | "list" | "flag";

const KINDS: Record<string, Kind> = {
  allowedOrigins: "list",
  events: "list",
  depositPairs: "list",
  supportedDisplayCurrencies: "list",
  refundFollowUpDepositsForOneTimePayments: "flag",
  whitelistOnly: "flag",
  greenfield: "flag",
};

/** A value as the control has it. */
function textOf(business: Business | undefined, name: string): string {
  const value: unknown = business?.[name as keyof Business];
  if (value === undefined) return KINDS[name] === "flag" ? "false" : "";
  return Array.isArray(value) ? value.join(" ") : String(value);
}

function valueOf(name: string, text: string): unknown {
  if (KINDS[name] === "list") return text.split(/[\s,]+/).filter(Boolean);
  return KINDS[name] === "flag" ? text === "true" : text.trim();
}

const FLAGS: Record<string, [string, string][]> = {
  refundFollowUpDepositsForOneTimePayments: [
    ["false", "All is credited"],
    ["true", "The second deposit is refunded"],
  ],
  whitelistOnly: [
    ["false", "Any address"],
    ["true", "Whitelisted addresses only"],
  ],
  greenfield: [
    ["false", "Not answered"],
    ["true", "Answered"],
  ],
};

export function BusinessForm({ business, button, submit, cancel }: BusinessFormProps) {
  const initial = (name: string) => textOf(business, name) || DEFAULTS[name] || "";
  const send = (values: Record<string, string>) => {
    const given = Object.entries(values).filter(([name, text]) => text.trim() !== textOf(business, name).trim());
    return submit(Object.fromEntries(given.map(([name, text]) => [name, valueOf(name, text)])));
  };
  return (
    <Form submit={send} button={button} part="business-form" cancel={cancel}>
      {(errorOf) => {
        const field = (label: string, name: string, more: { hint?: string; required?: boolean; inputmode?: "decimal" | "url" } = {}) => (
          <Field label={label} name={name} initial={initial(name)} error={errorOf(name)} {...more} />
        );
        const choice = (label: string, name: string, options: [string, string][]) => (
          <Choice label={label} name={name} options={options} initial={initial(name)} error={errorOf(name)} />
        );
        return (
          <>
            <div class="grid">
              {field("Name", "name", { required: true, hint: "Customers see it." })}
              {field("Origins that may embed the checkout", "allowedOrigins", { hint: "https://shop.example, several with blanks between" })}
              {field("URL for deposits", "depositReceivedCallbackUrl", { inputmode: "url", hint: "Receives the callback of each deposit." })}
              {field("URL for withdrawals", "withdrawalCallbackUrl", { inputmode: "url" })}
              {field("URL for events", "eventUrl", { inputmode: "url", hint: "Typed events of payments, refunds and withdrawals" })}
              {field("Events", "events", { hint: "payment.status deposit.*, several with blanks between. Empty: all" })}
              {choice("Shops with a plugin for BTCPay Server", "greenfield", FLAGS.greenfield!)}
              {field("Help for customers", "supportUrl", { inputmode: "url", hint: "An https or mailto link" })}
            </div>
            <h2 class="sub">Payments</h2>
            <div class="grid">
              {field("Accepts", "depositPairs", { hint: `BTC, or USDC/ETH for a coin on some networks only${business ? "" : ". Empty: all"}` })}
              {field("Prices in", "supportedDisplayCurrencies", { hint: `EUR USD${business ? "" : ". Empty: all"}` })}
              {choice("Too much paid", "overpaymentPolicy", OVERPAYMENT)}
              {choice("Paid twice", "refundFollowUpDepositsForOneTimePayments", FLAGS.refundFollowUpDepositsForOneTimePayments!)}
              {choice("Refunds go", "refundAddress", REFUND_ADDRESS)}
              {field("May be missing", "underpaymentTolerance", { inputmode: "decimal", hint: "A share: 0.01 is 1 %. Empty: by the rate type" })}
              {field("Instant up to, in EUR", "instantDepositLimit", { inputmode: "decimal", hint: "What you can lose. Empty: never" })}
              {field("Share settled in crypto", "settlementCryptoRatio", { inputmode: "decimal", hint: "From 0 to 1" })}
              {field("Settled in", "settlementCryptoCurrency", { hint: "A coin, or OWN: that of the deposit" })}
            </div>
            <h2 class="sub">Checkout page</h2>
            <div class="grid">
              {choice("Theme", "theme", THEMES)}
              {field("Colour", "brandColor", { hint: "#1f4fd8. Empty: the default" })}
            </div>
            <h2 class="sub">Limits of withdrawals</h2>
            <div class="grid">
              {field("In 24 hours, in EUR", "dailyWithdrawalLimit", { inputmode: "decimal", hint: "Empty: no limit" })}
              {field("Approval above, in EUR", "withdrawalApprovalAbove", { inputmode: "decimal", hint: "Empty: none is asked for" })}
              {choice("Recipients", "whitelistOnly", FLAGS.whitelistOnly!)}
              {field("Payers' requests approved up to, in EUR", "claimLimit", { inputmode: "decimal", hint: "Of one payment. Empty: each needs an approval" })}
              {field("Largest fee of a network, in EUR", "maximumNetworkFee", { inputmode: "decimal", hint: "Empty: any" })}
            </div>
          </>
        );
      }}
    </Form>
  );
}

/** What a new business has, where a control shows one of some values. */
const DEFAULTS: Record<string, string> = { settlementCryptoRatio: "1", overpaymentPolicy: "PROCESS", refundAddress: "PAYER", theme: "LIGHT" };
