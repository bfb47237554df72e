import { Fact, Panel } from "../../../www/desk/components/panel";
import { dateTime } from "../../../www/desk/format";
import type { PaymentDetail } from "../model";

export const Facts = ({ detail: { payment, quote, businessName, windowEnd } }: { detail: PaymentDetail }) => (
  <Panel title="Facts">
    <dl class="lines">
      <Fact label="Payment id" copy={payment.paymentId} mono part="payment-id">
        {payment.paymentId}
      </Fact>
      <Fact label="Order id" copy={payment.clientPaymentId}>
        {payment.clientPaymentId}
      </Fact>
      <Fact label="Business">{businessName}</Fact>
      <Fact label="Type">{payment.type === "REUSABLE" ? "reusable" : "one-time"}</Fact>
      <Fact label="Rate type">{payment.rateType.toLowerCase()}</Fact>
      {quote && (
        <>
          <Fact label="Rate">
            {quote.rate} {payment.displayCurrency} per {quote.currency}
          </Fact>
          <Fact label="Rate valid">{quote.rateHolds ? "yes" : "no: deposits are valued when they arrive"}</Fact>
        </>
      )}
      <Fact label="Created">{dateTime(payment.paymentInitiatedAt)}</Fact>
      <Fact label="Window ends">{windowEnd === null ? "never" : dateTime(windowEnd)}</Fact>
      <Fact label="Overpayment">
        {payment.overpaymentPolicy === "EXCESS_REFUND" ? "the excess is refunded" : "all is credited"}
      </Fact>
      <Fact label="Follow-up deposits">{payment.refundFollowUpDepositsForOneTimePayments ? "are refunded" : "are credited"}</Fact>
      <Fact label="Locale">{payment.locale}</Fact>
      {payment.redirectUrl && (
        <Fact label="Return URL" copy={payment.redirectUrl}>
          {payment.redirectUrl}
        </Fact>
      )}
    </dl>
  </Panel>
);
