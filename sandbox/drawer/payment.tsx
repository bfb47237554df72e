// What can be done to the payment that is open at the desk: as its payer, and by its chain.
import type { CheckoutView, Payment } from "gateway-api";
import { sum, times } from "../../www/desk/amount";
import { gateway } from "../../www/desk/api";
import { now } from "../../www/desk/clock";
import { Choice } from "../../www/desk/components/fields";
import { Icon } from "../../www/desk/components/icon";
import { Fold, Note, Panel } from "../../www/desk/components/panel";
import { duration } from "../../www/desk/format";
import { canExpire } from "../../www/desk/labels";
import { useLoad } from "../../www/desk/use";
import { ActButton, ActForm } from "./acts";
import { ChainActs } from "./chains";
import { patch } from "./requests";
import { Transactions } from "./transactions";
import { TransferForm } from "./transfer";
import { type Transfer, advance, pairLabel, send, useChain, useWorld } from "./world";

/** Chooses for the payer. */
export async function choose(paymentId: string, pair: string): Promise<string> {
  const [depositCurrency, network] = pair.split("/");
  await patch(gateway(`/api/v1/payments/${paymentId}`), { depositCurrency, network });
  return `Chose ${depositCurrency} on ${network}`;
}

export function OpenPayment({ id }: { id: string }) {
  const { data: view } = useLoad<CheckoutView>(gateway(`/api/v1/checkout/${id}`));
  if (!view) return null;
  const { payment, options } = view;
  const network = payment.expectedNetwork;
  return (
    <Panel title="This payment" part="open-payment" value={payment.status}>
      <div class="acts">
        <a class="act plain" href={`/sandbox/payments/${id}/checkout`} target="_blank" rel="noopener" data-part="checkout">
          <Icon name="external" />
          Checkout
        </a>
        {payment.walletAddress?.startsWith("0x") && (
          <a class="act plain" href={`/sandbox/payments/${id}/wallet`} target="_blank" rel="noopener" data-part="checkout-wallet">
            <Icon name="external" />
            With a simulated wallet
          </a>
        )}
        <Expire payment={payment} />
      </div>
      {network && payment.walletAddress ? (
        <>
          <Pay view={view} />
          <Transactions payment={payment} transfers={view.transfers ?? []} />
          <div class="hand">
            <h3>Chain {network}</h3>
            <ChainActs network={network} />
          </div>
        </>
      ) : (
        options.length > 0 && (
          <ActForm act={({ pair = "" }) => choose(id, pair)} button="Choose for the payer" part="choose">
            {(errorOf) => (
              <Choice
                label="Paid with"
                name="pair"
                options={options.map(({ currency, network }) => [`${currency}/${network}`, pairLabel(currency, network)])}
                error={errorOf("depositCurrency") ?? errorOf("network")}
              />
            )}
          </ActForm>
        )
      )}
    </Panel>
  );
}

/** The rest of the price, a half of it, and too much. Once everything is paid, the price again. */
function Pay({ view: { payment, remainingAmount = "0" } }: { view: CheckoutView }) {
  const currency = payment.depositCurrency!;
  const network = payment.expectedNetwork!;
  const sender = useChain(network)?.usualSender;
  const isFlagged = useWorld()?.flaggedAddresses.some((row) => row.network === network && row.address === sender);
  const expected = payment.expectedDepositAmount;
  const to = { network, currency, address: payment.walletAddress!, ...(payment.destinationTag && { destinationTag: payment.destinationTag }) };
  const isDue = Number(remainingAmount) > 0;
  const due = isDue ? remainingAmount : expected;
  const amounts: [label: string, amount: string, part: string, tone: string][] = due
    ? [
        [isDue ? "The rest" : "Again", due, "pay-exact", "primary"],
        ["A half", times(due, 1n, 2n), "pay-half", "plain"],
        ["Too much", sum(due, times(expected ?? due, 1n, 5n)), "pay-more", "plain"],
      ]
    : [];
  return (
    <>
      <h3>Pay</h3>
      <div class="thirds">
        {amounts.map(([label, amount, part, tone]) => (
          <ActButton key={part} act={() => send({ ...to, amount } as Transfer)} tone={tone} part={part}>
            <span class="two">
              <b>{label}</b>
              <small>
                {amount} {currency}
              </small>
            </span>
          </ActButton>
        ))}
      </div>
      {isFlagged && <Note>The default sender on {network} is flagged: what it pays is held.</Note>}
      <Fold title="Another transfer">
        <TransferForm key={`${network} ${to.address}`} to={to} />
      </Fold>
    </>
  );
}

const SEVEN_DAYS = 7 * 24 * 60;

/** The end of the window, as `wire/src/rules/window.rs` has it. */
function windowEnd({ paymentInitiatedAt: start, paymentRequestedAt: requested, expirationMinutes }: Payment): number {
  const length = (expirationMinutes || SEVEN_DAYS) * 60;
  return (requested && requested >= start + length ? requested : start) + length;
}

function Expire({ payment }: { payment: Payment }) {
  const left = windowEnd(payment) - now();
  if (left <= 0 || payment.type === "REUSABLE" || !canExpire(payment.status)) return null;
  return (
    <ActButton act={() => advance(windowEnd(payment) - now())} part="expire">
      Expire (+{duration(left)})
    </ActButton>
  );
}
