// Refunds of a payment: what is given back, and a form that asks once more before money leaves.
import type { Deposit, ListedRefund, Payment } from "gateway-api";
import { useState } from "preact/hooks";
import { gateway, post, query } from "../api";
import { tell } from "../announce";
import { Field, Form } from "../components/form";
import { Failure } from "../components/list";
import { Badge, Note, Panel } from "../components/panel";
import { dateTime, money } from "../format";
import { REFUND, labelOf } from "../labels";
import { useDesk, useLoad } from "../use";

export function Refunds({ payment, reload }: { payment: Payment; reload: () => Promise<void> }) {
  const { business, operator } = useDesk();
  const list = useLoad<ListedRefund[]>(gateway(`/api/v1/refunds?${query({ businessId: business, paymentId: payment.paymentId })}`));
  const [isOpen, setOpen] = useState(false);
  const confirmed = payment.deposits.filter(({ status }) => status === "CONFIRMED");
  const done = async () => {
    setOpen(false);
    await Promise.all([list.reload(), reload()]);
  };
  return (
    <Panel title="Refunds" part="refunds">
      {list.error && <Failure error={list.error} />}
      {list.data?.length === 0 && <Note>Nothing was refunded.</Note>}
      <ul class="cells">
        {list.data?.map((refund) => (
          <RefundCell key={refund.refundId} refund={refund} />
        ))}
      </ul>
      {operator.role !== "viewer" && list.data && confirmed.length > 0 && !isOpen && (
        <div class="acts">
          <button type="button" class="act plain" onClick={() => setOpen(true)} data-part="refund-open">
            Refund
          </button>
        </div>
      )}
      {isOpen && <RefundForm payment={payment} deposits={confirmed} done={done} cancel={() => setOpen(false)} />}
    </Panel>
  );
}

function RefundCell({ refund }: { refund: ListedRefund }) {
  const { amount, currency, displayAmount, displayCurrency, status, waitingFor, address, createdAt } = refund;
  return (
    <li class="cell" data-part="refund" data-value={status}>
      <div class="cell-line">
        <span>
          <strong>
            {amount} {currency}
          </strong>
          <br />
          <small class="from">
            {money(displayAmount, displayCurrency)}
            {`, ${dateTime(createdAt)}`}
          </small>
        </span>
        <Badge label={labelOf(REFUND, status)} />
      </div>
      {address && <p class="from mono">to {address}</p>}
      {waitingFor && <p class="quiet-note">Waits for {waitingFor === "ADDRESS" ? "an address" : "an approval"}.</p>}
    </li>
  );
}

interface RefundFormProps {
  payment: Payment;
  deposits: Deposit[];
  done: () => Promise<void>;
  cancel: () => void;
}

function RefundForm({ payment, deposits, done, cancel }: RefundFormProps) {
  // One id for the form: a press that is repeated refunds once.
  const [id] = useState(() => `desk-${crypto.randomUUID()}`);
  const [asked, setAsked] = useState<Record<string, string> | null>(null);
  const [latest] = deposits.slice(-1);
  const send = async () => {
    const { amount, address, destinationTag } = asked!;
    const body = { clientRefundId: id, ...filled({ amount, address, destinationTag }) };
    await post(gateway(`/api/v1/payments/${payment.paymentId}/refunds`), body);
    tell("The refund is on its way");
    await done();
  };
  if (asked) {
    return (
      <Form key="sure" submit={send} button="Send the refund" icon="send" part="refund-sure">
        {() => (
          <>
            <p class="held-note">
              {asked.amount ? `${asked.amount} ${latest?.depositCurrency ?? ""}` : "Everything that was received and not given back"} goes to{" "}
              {asked.address || "an address that is still to be given"}. It cannot be taken back.
            </p>
            <button type="button" class="link" onClick={() => setAsked(null)}>
              Change it
            </button>
          </>
        )}
      </Form>
    );
  }
  return (
    <Form key="ask" submit={async (values) => setAsked(values)} button="Continue" part="refund-form">
      {() => (
        <>
          <Field
            label={`Amount in ${latest?.depositCurrency ?? "coins"}`}
            name="amount"
            inputmode="decimal"
            hint="Empty: everything that was received and not given back"
          />
          <Field
            label="Address"
            name="address"
            hint={`Ask the customer. The sender was ${latest?.fromAddress ?? "unknown"}: at an exchange that is not the customer's own.`}
          />
          <Field label="Tag or memo" name="destinationTag" hint="For XRP and XLM only, if the address has one" />
          <button type="button" class="link" onClick={cancel}>
            Close
          </button>
        </>
      )}
    </Form>
  );
}

const filled = (values: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value?.trim()).map(([name, value]) => [name, value!.trim()]));
