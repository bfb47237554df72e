// One payment with its whole story.
import type { Callback, Deposit, LedgerEntry, Payment as PaymentInfo } from "gateway-api";
import { gateway, query } from "../api";
import { CallbackCell } from "../components/callback";
import { CoinIcon } from "../components/icon";
import { LedgerLines } from "../components/ledger_lines";
import { Failure } from "../components/list";
import { BackLink, Badge, Copyable, Fact, Loading, Note, Panel } from "../components/panel";
import { dateTime, money } from "../format";
import { DEPOSIT, PAYMENT, labelOf } from "../labels";
import { useDesk, useLoad } from "../use";
import { Refunds } from "./refund";

export function Payment({ id }: { id: string }) {
  const { data: payment, error, reload } = useLoad<PaymentInfo>(gateway(`/api/v1/payments/${id}`));
  return (
    <>
      <BackLink href="#/payments">Payments</BackLink>
      {error && <Failure error={error} />}
      {payment ? <Story payment={payment} reload={reload} /> : !error && <Loading rows={5} />}
    </>
  );
}

const Story = ({ payment, reload }: { payment: PaymentInfo; reload: () => Promise<void> }) => (
  <div class="columns">
    <div class="column">
      <Head payment={payment} />
      <Deposits payment={payment} />
      <Refunds payment={payment} reload={reload} />
      <Ledger payment={payment} />
    </div>
    <div class="column">
      <Facts payment={payment} />
      <Callbacks payment={payment} />
    </div>
  </div>
);

function Head({ payment }: { payment: PaymentInfo }) {
  const { status, expectedDisplayAmount, actualDisplayAmount, displayCurrency } = payment;
  const label = labelOf(PAYMENT, status);
  return (
    <section class="panel head" aria-label="Payment">
      <div class="head-line">
        <h1 class="price">{expectedDisplayAmount ? money(expectedDisplayAmount, displayCurrency) : "Any amount"}</h1>
        <Badge label={label} part="status" value={status} />
      </div>
      <p class="says">{PAYMENT[status]?.meaning}</p>
      <dl class="sums">
        <div>
          <dt>Received</dt>
          <dd data-part="received" data-value={actualDisplayAmount}>
            {actualDisplayAmount ? money(actualDisplayAmount, displayCurrency) : "–"}
          </dd>
        </div>
        <Coins label="Asked for" amount={payment.expectedDepositAmount} payment={payment} />
        <Coins label="Received in coins" amount={payment.actualDepositAmount} payment={payment} />
      </dl>
    </section>
  );
}

const Coins = ({ label, amount, payment }: { label: string; amount?: string; payment: PaymentInfo }) => (
  <div>
    <dt>{label}</dt>
    <dd>{amount && payment.depositCurrency ? `${amount} ${payment.depositCurrency}` : "–"}</dd>
  </div>
);

function Facts({ payment }: { payment: PaymentInfo }) {
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
        <Fact label="Language">{payment.locale}</Fact>
      </dl>
    </Panel>
  );
}

const Deposits = ({ payment }: { payment: PaymentInfo }) => (
  <Panel title="Deposits" part="deposits">
    {payment.deposits.length === 0 ? (
      <Note>Nothing was received.</Note>
    ) : (
      <ul class="cells">
        {payment.deposits.map((deposit) => (
          <DepositCell key={deposit.id} deposit={deposit} />
        ))}
      </ul>
    )}
  </Panel>
);

function DepositCell({ deposit }: { deposit: Deposit }) {
  const { depositAmount, depositCurrency, displayAmount, displayCurrency, status, fromAddress, transactionId, refund } = deposit;
  return (
    <li class="cell" data-part="deposit" data-value={status}>
      <div class="cell-line">
        <span class="with-coin">
          <CoinIcon currency={depositCurrency} />
          <span>
            <strong>
              {depositAmount} {depositCurrency}
            </strong>
            <small>
              {money(displayAmount, displayCurrency)}, {dateTime(deposit.depositReceivedAt)}
            </small>
          </span>
        </span>
        <Badge label={labelOf(DEPOSIT, status)} />
      </div>
      <Copyable text={transactionId} what="the transaction">
        <span class="mono">{transactionId}</span>
      </Copyable>
      <p class="from mono">from {fromAddress}</p>
      {refund && (
        <p class="quiet-note" data-part="automatic-refund" data-value={refund.status}>
          Refund of {refund.amount} {depositCurrency}: {refund.status.toLowerCase().replace("_", " ")}
          {refund.waitingFor && `, waits for ${refund.waitingFor.toLowerCase()}`}
        </p>
      )}
    </li>
  );
}

/** The callbacks of the payment's deposits, each of which tells of one, and the events of the payment. */
function Callbacks({ payment }: { payment: PaymentInfo }) {
  return (
    <Panel title="Callbacks" part="callbacks">
      {payment.deposits.length === 0 && <Note>No deposit was confirmed.</Note>}
      <ul class="cells">
        {[payment.paymentId, ...payment.deposits.map(({ id }) => id)].map((id) => (
          <CallbacksOf key={id} subject={id} />
        ))}
      </ul>
    </Panel>
  );
}

function CallbacksOf({ subject }: { subject: string }) {
  const { business } = useDesk();
  const { data, error, reload } = useLoad<Callback[]>(
    gateway(`/api/v1/callbacks?${query({ businessId: business, subjectId: subject })}`),
  );
  if (error) return <Failure error={error} />;
  return (
    <>
      {data?.map((callback) => (
        <CallbackCell key={callback.id} callback={callback} reload={reload} />
      ))}
    </>
  );
}

function Ledger({ payment }: { payment: PaymentInfo }) {
  const { business } = useDesk();
  const path = `/api/v1/ledger?${query({ businessId: business, paymentId: payment.paymentId })}`;
  const { data, error } = useLoad<LedgerEntry[]>(gateway(path));
  return (
    <Panel title="Bookkeeping" part="ledger">
      {error && <Failure error={error} />}
      {data?.length === 0 && <Note>Nothing is booked yet.</Note>}
      <ul class="cells">
        {data?.map((entry) => (
          <li class="cell" key={entry.entryId} data-part="entry" data-value={entry.event}>
            <div class="cell-line">
              <strong>{entry.event.toLowerCase().replace(/_/g, " ")}</strong>
              <span class="from">{dateTime(entry.bookedAt)}</span>
            </div>
            <LedgerLines lines={entry.lines} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
