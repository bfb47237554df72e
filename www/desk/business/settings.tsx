import type { Business } from "gateway-api";
import { Fact, Panel } from "../components/panel";
import { dateTime, percent } from "../format";

export const OVERPAYMENT: [string, string][] = [
  ["PROCESS", "All is credited"],
  ["EXCESS_REFUND", "The excess is refunded"],
];

export const REFUND_ADDRESS: [string, string][] = [
  ["PAYER", "Where the payer says"],
  ["SENDER", "Back where they came from"],
];

export const THEMES: [string, string][] = [
  ["LIGHT", "Light"],
  ["DARK", "Dark"],
  ["AUTO", "As the customer's device"],
];

const wordOf = (options: [string, string][], code: string): string => options.find(([value]) => value === code)?.[1] ?? code;

const eur = (amount: string | undefined, none: string): string => (amount ? `${amount} EUR` : none);

export const Settings = ({ business }: { business: Business }) => (
  <>
    <Panel title="Payments">
      <dl class="lines">
        <Fact label="Accepts">{(business.depositPairs ?? business.supportedDepositCurrencies).join(", ")}</Fact>
        <Fact label="Prices in">{business.supportedDisplayCurrencies.join(", ")}</Fact>
        <Fact label="Too much paid">{wordOf(OVERPAYMENT, business.overpaymentPolicy)}</Fact>
        <Fact label="Paid twice">{business.refundFollowUpDepositsForOneTimePayments ? "The second deposit is refunded" : "All is credited"}</Fact>
        <Fact label="Refunds go">{wordOf(REFUND_ADDRESS, business.refundAddress ?? "PAYER")}</Fact>
        <Fact label="Too little paid">
          {business.underpaymentTolerance ? `${percent(business.underpaymentTolerance)} may be missing` : "The default of the rate type may be missing"}
        </Fact>
        <Fact label="Settlement">{settlement(business)}</Fact>
        {business.disabled !== undefined && (
          <Fact label="Instant deposits">{business.instantDepositLimit ? `Up to ${business.instantDepositLimit} EUR` : "No: each waits for its block"}</Fact>
        )}
      </dl>
    </Panel>
    <Panel title="Checkout page">
      <dl class="lines">
        <Fact label="Theme">{wordOf(THEMES, business.theme)}</Fact>
        {business.brandColor && <Fact label="Colour">{business.brandColor}</Fact>}
        {business.supportUrl && <Fact label="Help">{business.supportUrl}</Fact>}
        {business.greenfield && <Fact label="Shops with a plugin for BTCPay Server">answered</Fact>}
        {business.allowedOrigins && <Fact label="May embed it">{business.allowedOrigins.join(", ") || "nobody"}</Fact>}
      </dl>
    </Panel>
    {business.whitelistOnly !== undefined && (
      <Panel title="Limits of withdrawals">
        <dl class="lines">
          <Fact label="In 24 hours">{eur(business.dailyWithdrawalLimit, "no limit")}</Fact>
          <Fact label="Approval above">{eur(business.withdrawalApprovalAbove, "none is asked for")}</Fact>
          <Fact label="Payers' requests approved up to">{eur(business.claimLimit, "each needs an approval")}</Fact>
          <Fact label="Largest fee of a network">{eur(business.maximumNetworkFee, "any")}</Fact>
          <Fact label="Recipients">{business.whitelistOnly ? "whitelisted addresses only" : "any address"}</Fact>
        </dl>
      </Panel>
    )}
    <Panel title="Facts">
      <dl class="lines">
        <Fact label="Business" copy={business.id} mono part="business-id">
          {business.id}
        </Fact>
        <Fact label="Created">{dateTime(business.createdAt)}</Fact>
      </dl>
    </Panel>
  </>
);

function settlement({ settlementCryptoRatio: ratio, settlementCryptoCurrency, settlementFiatCurrency: fiat }: Business): string {
  const coin: string = settlementCryptoCurrency === "OWN" ? "the coin of the deposit" : settlementCryptoCurrency;
  if (Number(ratio) === 0) return `All in ${fiat}`;
  if (Number(ratio) === 1) return `All in ${coin}`;
  return `${percent(ratio)} in ${coin}, the rest in ${fiat}`;
}
