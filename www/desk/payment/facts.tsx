import type { Payment } from "gateway-api";
import { Fact, Panel } from "../components/panel";
import { dateTime } from "../format";

export function Facts({ payment }: { payment: Payment }) {
  const { paymentId, clientPaymentId, walletAddress, destinationTag, expectedNetwork } = payment;
  return (
    <Panel title="Facts">
      <dl class="lines">
        <Fact label="Order" copy={clientPaymentId} part="order">
          {clientPaymentId}
        </Fact>
        <Fact label="Payment" copy={paymentId} mono>
          {paymentId}
        </Fact>
        <Fact label="Created">{dateTime(payment.paymentInitiatedAt)}</Fact>
        {payment.cancelledAt !== undefined && <Fact label="Cancelled">{dateTime(payment.cancelledAt)}</Fact>}
        {payment.acceptedAt !== undefined && <Fact label="Accepted">{dateTime(payment.acceptedAt)}</Fact>}
        {expectedNetwork && <Fact label="Network">{expectedNetwork}</Fact>}
        {walletAddress && (
          <Fact label="Address" copy={walletAddress} mono>
            {walletAddress}
          </Fact>
        )}
        {destinationTag && (
          <Fact label="Tag" copy={destinationTag} mono>
            {destinationTag}
          </Fact>
        )}
        {payment.description && <Fact label="Description">{payment.description}</Fact>}
        {Object.entries(payment.metadata ?? {}).map(([name, value]) => (
          <Fact key={name} label={name}>
            {String(value)}
          </Fact>
        ))}
        <Fact label="Rate">{payment.rateType === "FIXED" ? "Fixed for the window" : "Of the moment of receipt"}</Fact>
        {payment.type === "REUSABLE" && <Fact label="Kind">Reusable: it never ends</Fact>}
        <Fact label="Language">{payment.locale}</Fact>
      </dl>
    </Panel>
  );
}
