import { now } from "../api";
import { ActionButton, copyText } from "../components/button";
import { CoinIcon, Icon, NetworkIcon } from "../../../www/desk/components/icon";
import { Badge } from "../../../www/desk/components/panel";
import { pairLabel } from "../currencies";
import { dateTime, duration, money } from "../../../www/desk/format";
import { PAYMENT, canExpire, labelOf } from "../../../www/desk/labels";
import type { PaymentDetail, Quote } from "../model";

/** Price, status and progress of a payment. */
export function Head({ detail }: { detail: PaymentDetail }) {
  const { payment, quote, paymentUrl, windowEnd } = detail;
  const label = labelOf(PAYMENT, payment.status);
  const end = deadline(windowEnd, payment.status);
  return (
    <header class="panel head">
      <div class="head-line">
        <h2 tabindex={-1} data-part="title">
          {payment.clientPaymentId}
        </h2>
        <Badge label={label} part="status" value={payment.status} />
      </div>
      <div class="head-line">
        <p class="price">
          {payment.expectedDisplayAmount ? money(payment.expectedDisplayAmount, payment.displayCurrency) : "No price"}
        </p>
        {end && (
          <p class="deadline" data-part="deadline">
            <Icon name="clock" />
            {end}
          </p>
        )}
      </div>
      <p class="says">{PAYMENT[payment.status]?.meaning}</p>
      {quote && <Progress quote={quote} />}
      <div class="acts">
        <a class="act primary" href={paymentUrl} target="_blank" rel="noopener" data-part="checkout-link">
          <Icon name="external" />
          Open the checkout
        </a>
        <ActionButton name="copy" action={() => copyText(paymentUrl)} icon="copy">
          Copy its link
        </ActionButton>
      </div>
    </header>
  );
}

function deadline(windowEnd: number | null, status: string): string {
  if (windowEnd === null) return "never expires";
  const left = windowEnd - now();
  if (left <= 0) return `window ended ${dateTime(windowEnd)}`;
  return canExpire(status) ? `${duration(left)} left` : "";
}

/** The paid share of the amount, as a bar and as text. */
function Progress({ quote }: { quote: Quote }) {
  const { currency, network, expected, confirmed, unconfirmed, remaining } = quote;
  const sums: [label: string, amount: string, part: string][] = [
    ["Expected", expected, "expected"],
    ["Confirmed", confirmed, "confirmed"],
    ["Unconfirmed", unconfirmed, "unconfirmed"],
    ["Remaining", remaining, "remaining"],
  ];
  return (
    <div class="progress">
      <div class="bar" aria-hidden="true">
        <BarPart kind="sure" amount={confirmed} of={expected} />
        <BarPart kind="seen" amount={unconfirmed} of={expected} />
      </div>
      <dl class="sums">
        {sums.map(([label, amount, part]) => (
          <div key={part}>
            <dt>{label}</dt>
            <dd data-part={part} data-value={amount}>
              {amount} <small>{currency}</small>
            </dd>
          </div>
        ))}
      </dl>
      <p class="pair-note">
        <CoinIcon currency={currency} />
        {currency !== network && <NetworkIcon network={network} />}
        <span>{pairLabel(currency, network)}</span>
      </p>
    </div>
  );
}

function BarPart({ kind, amount, of }: { kind: string; amount: string; of: string }) {
  const share = Math.min(100, (Number(amount) / Number(of)) * 100);
  return share > 0 ? <i class={kind} style={{ inlineSize: `${Math.max(2, Math.round(share))}%` }} /> : null;
}
