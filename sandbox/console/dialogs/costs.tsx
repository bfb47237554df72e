import { Icon } from "../../../www/desk/components/icon";
import { Note } from "../../../www/desk/components/panel";
import { money, percent } from "../../../www/desk/format";
import type { CurrencyNetwork, Withdrawal } from "../model";
import { state } from "../store";

interface CostsProps {
  pair?: CurrencyNetwork & { currency: string };
  preview: Withdrawal | null;
}

/** The recipient's amount and the cost for the balance. */
export const Costs = ({ pair, preview }: CostsProps) => (
  <div class="full quote-box" data-part="costs" data-value={preview ? "known" : "unknown"}>
    {preview ? (
      <dl class="lines">
        <Cost
          label="The recipient receives"
          text={`${preview.estimatedWithdrawAmount} ${preview.withdrawCurrency}, ${money(preview.estimatedDisplayAmount, preview.displayCurrency)}`}
          part="cost-amount"
        />
        <Cost label="Network fee" text={`${pair?.withdrawFee ?? "?"} ${preview.withdrawCurrency}`} part="cost-chain" />
        <Cost label="Service fee" text={`${preview.settlementServiceFee} ${preview.settlementCurrency}`} part="cost-service" />
        <Cost
          label="Deducted from the balance"
          text={`${preview.settlementDeductedAmount} ${preview.settlementCurrency}`}
          part="cost-all"
        />
      </dl>
    ) : (
      <Note>
        <Icon name="wallet" />
        {pair &&
          `In addition to the amount: ${pair.withdrawFee} ${pair.currency} for the chain, ${percent(state.overview?.serviceFees[1] ?? "0")} for the service. ` +
            "The total is shown once address and amount are valid."}
      </Note>
    )}
  </div>
);

const Cost = ({ label, text, part }: { label: string; text: string; part: string }) => (
  <div class="line">
    <dt>{label}</dt>
    <dd data-part={part} data-value={text}>
      {text}
    </dd>
  </div>
);
