// What the payment costs, what came, and its end.
import type { Payment } from "gateway-api";
import { gateway, post } from "../api";
import { tell } from "../announce";
import { Ask } from "../components/ask";
import { Badge } from "../components/panel";
import { rest } from "../amount";
import { coins, money } from "../format";
import { PAYMENT, labelOf } from "../labels";
import { useDesk } from "../use";

export function Head({ payment, reload }: { payment: Payment; reload: () => Promise<void> }) {
  const { status, expectedDisplayAmount, actualDisplayAmount, displayCurrency, cancelledAt } = payment;
  const label = labelOf(PAYMENT, status);
  return (
    <section class="panel head" aria-label="Payment">
      <div class="head-line">
        <h1 class="price">{expectedDisplayAmount ? money(expectedDisplayAmount, displayCurrency) : "Any amount"}</h1>
        <Badge label={label} part="status" value={status} />
      </div>
      <p class="says">
        {cancelledAt && status === "EXPIRED" ? "It was cancelled. Late deposits are still detected." : PAYMENT[status]?.meaning}
      </p>
      <dl class="sums">
        <Sum label="Asked for" money={expectedDisplayAmount} coins={payment.expectedDepositAmount} payment={payment} />
        <Sum label="Received" money={actualDisplayAmount} coins={payment.actualDepositAmount} payment={payment} part="received" />
        <Rest payment={payment} />
      </dl>
      <Cancel payment={payment} reload={reload} />
      <Accept payment={payment} reload={reload} />
    </section>
  );
}

interface SumProps {
  label: string;
  money?: string;
  coins?: string;
  payment: Payment;
  part?: string;
}

/** In the currency of the price, and in coins. */
const Sum = ({ label, money: amount, coins: inCoins, payment: { displayCurrency, depositCurrency }, part }: SumProps) => (
  <div>
    <dt>{label}</dt>
    <dd data-part={part} data-value={amount}>
      {amount ? money(amount, displayCurrency) : "–"}
      {inCoins && depositCurrency && (
        <>
          <br />
          <small>{coins(inCoins, depositCurrency)}</small>
        </>
      )}
    </dd>
  </div>
);

/** What is still to come while it is awaited. */
function Rest({ payment }: { payment: Payment }) {
  const { status, expectedDisplayAmount, actualDisplayAmount, expectedDepositAmount, actualDepositAmount } = payment;
  if (!["PENDING", "AWAITING", "EXPIRED"].includes(status) || !expectedDisplayAmount) return null;
  const inCoins = expectedDepositAmount && rest(expectedDepositAmount, actualDepositAmount ?? "0");
  return <Sum label="Rest" money={rest(expectedDisplayAmount, actualDisplayAmount ?? "0")} coins={inCoins} payment={payment} />;
}

/** Takes a part for the whole. */
function Accept({ payment, reload }: { payment: Payment; reload: () => Promise<void> }) {
  const { operator } = useDesk();
  const isUnpaid = ["AWAITING", "EXPIRED"].includes(payment.status);
  const hasArrived = payment.deposits.some((deposit) => deposit.status === "CONFIRMED");
  if (!isUnpaid || !hasArrived || operator.role !== "manager") return null;
  const accept = async () => {
    await post(gateway(`/api/v1/payments/${payment.paymentId}/accept`));
    tell("What has arrived is accepted");
    await reload();
  };
  return (
    <div class="acts">
      <Ask
        label="Accept what has arrived"
        title={`Accept what has arrived for ${payment.clientPaymentId}?`}
        button="Accept it as the price"
        part="accept-payment"
        act={accept}
      >
        {() => (
          <>
            <p>
              {money(payment.actualDisplayAmount, payment.displayCurrency)} is accepted as the price: the payment is paid, and its page asks for
              nothing more.
            </p>
            <p class="caution">This cannot be undone. Afterwards it can be refunded like any paid payment.</p>
          </>
        )}
      </Ask>
    </div>
  );
}

/** Ends a payment to which nothing was sent. */
function Cancel({ payment, reload }: { payment: Payment; reload: () => Promise<void> }) {
  const { operator } = useDesk();
  const isOpen = ["NEW", "PENDING"].includes(payment.status) && payment.type === "ONE_TIME";
  if (!isOpen || operator.role === "viewer") return null;
  const cancel = async () => {
    await post(gateway(`/api/v1/payments/${payment.paymentId}/cancel`));
    tell("The payment is cancelled");
    await reload();
  };
  return (
    <div class="acts">
      <Ask
        label="Cancel the payment"
        title={`Cancel ${payment.clientPaymentId}?`}
        button="Cancel the payment"
        part="cancel-payment"
        isGrave
        act={cancel}
      >
        {() => (
          <>
            <p>It ends now: its page says that it is over, and the customer can choose no currency any more. This cannot be undone.</p>
            <p class="caution">
              A transfer that is on its way still arrives. It counts as a late deposit: the amount that was shown pays, and it can be refunded.
            </p>
          </>
        )}
      </Ask>
    </div>
  );
}
