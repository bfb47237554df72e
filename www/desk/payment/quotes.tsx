// Every amount and address that the payer was shown.
import type { Payment, ShownQuote } from "gateway-api";
import { gateway } from "../api";
import { CoinIcon } from "../components/icon";
import { Failure } from "../components/list";
import { Copyable, Loading, Note, Panel } from "../components/panel";
import { dateTime, money } from "../format";
import { useLoad } from "../use";

export function Quotes({ payment }: { payment: Payment }) {
  const { data, error } = useLoad<ShownQuote[]>(gateway(`/api/v1/payments/${payment.paymentId}/quotes`));
  return (
    <Panel title="Quotes" part="quotes">
      {error && <Failure error={error} />}
      {!data && !error && <Loading rows={1} />}
      {data?.length === 0 && <Note>None: the customer has not chosen a currency.</Note>}
      <ul class="cells">
        {data?.map((quote, place) => (
          <Quote key={data.length - place} quote={quote} isCurrent={place === 0} />
        ))}
      </ul>
    </Panel>
  );
}

const Quote = ({ quote, isCurrent }: { quote: ShownQuote; isCurrent: boolean }) => (
  <li class="cell" data-part="quote" data-value={`${quote.amount} ${quote.currency}`}>
    <div class="cell-line">
      <span class="with-coin">
        <CoinIcon currency={quote.currency} />
        <span>
          <strong>
            {quote.amount} {quote.currency}
          </strong>
          <small>
            {money(quote.displayAmount, quote.displayCurrency)} at {quote.rate} {quote.displayCurrency}
          </small>
        </span>
      </span>
      <small class="from">
        {isCurrent ? "Latest, " : ""}
        {dateTime(quote.shownAt)}
      </small>
    </div>
    <Copyable text={quote.address} what="the address">
      <span class="mono">{quote.address}</span>
    </Copyable>
    <p class="from">
      on {quote.network}
      {quote.destinationTag && `, tag ${quote.destinationTag}`}
    </p>
  </li>
);
