// A refund by hand, which asks once more before money leaves.
import type { Deposit, Payment } from "gateway-api";
import { useState } from "preact/hooks";
import { gateway, post } from "../api";
import { tell } from "../announce";
import { Choice, Field } from "../components/fields";
import { Form, filled } from "../components/form";

interface RefundFormProps {
  payment: Payment;
  /** The confirmed ones. */
  deposits: Deposit[];
  done: () => Promise<void>;
}

const TAGGED = ["XRP", "XLM"];

export function RefundForm({ payment, deposits, done }: RefundFormProps) {
  // One id for the form: a press that is repeated refunds once.
  const [id] = useState(() => `desk-${crypto.randomUUID()}`);
  const [asked, setAsked] = useState<Record<string, string> | null>(null);
  const [values, setValues] = useState<Record<string, string>>({});
  const coins = [...new Set(deposits.map(({ depositCurrency }) => depositCurrency))];
  const [latest] = deposits.slice(-1);
  const coin = asked?.currency ?? (coins.length === 1 ? coins[0] : undefined) ?? latest?.depositCurrency ?? "";
  const send = async () => {
    const { amount, currency, address, destinationTag } = asked!;
    const body = { clientRefundId: id, ...filled({ amount, currency, address, destinationTag }) };
    await post(gateway(`/api/v1/payments/${payment.paymentId}/refunds`), body);
    tell(address ? "The refund is on its way" : "The refund waits for an address");
    await done();
  };
  if (asked) {
    const what = asked.amount ? `${asked.amount} ${coin}` : `Everything in ${coin} that was received and not given back`;
    return (
      <Form key="sure" submit={send} button="Send the refund" icon="send" part="refund-sure" cancel={() => setAsked(null)}>
        {() =>
          asked.address ? (
            <>
              <p>
                {what} goes to <span class="mono wrap">{asked.address}</span>
                {asked.destinationTag && ` with the tag ${asked.destinationTag}`}. It cannot be taken back.
              </p>
              <p class="caution">Compare the address with what the customer wrote, from its first to its last sign.</p>
            </>
          ) : (
            <p>{what} is reserved, and waits until somebody gives an address or cancels it.</p>
          )
        }
      </Form>
    );
  }
  const next = async (given: Record<string, string>) => {
    const trimmed = filled(given);
    setValues(trimmed);
    setAsked(trimmed);
  };
  return (
    <Form key="ask" submit={next} button="Continue" part="refund-form">
      {() => (
        <>
          {coins.length > 1 && (
            <Choice label="Coin" name="currency" options={coins.map((code) => [code, code])} initial={values.currency ?? latest?.depositCurrency} />
          )}
          <Field
            label={coins.length > 1 ? "Amount" : `Amount in ${coin}`}
            name="amount"
            inputmode="decimal"
            initial={values.amount}
            hint="Empty: everything that was received and not given back"
          />
          <Field
            label="Address"
            name="address"
            initial={values.address}
            hint="Ask the customer. Empty: the refund waits for an address."
          />
          {latest?.fromAddress && (
            <p class="quiet-note">
              It came from <span class="mono wrap">{latest.fromAddress}</span>. If the customer paid from an exchange, that address is the exchange's: ask for
              another one.
            </p>
          )}
          {coins.some((code) => TAGGED.includes(code)) || TAGGED.includes(payment.expectedNetwork ?? "") ? (
            <Field
              label="Tag or memo"
              name="destinationTag"
              initial={values.destinationTag}
              hint="If the address has one: without it the money is lost."
            />
          ) : null}
        </>
      )}
    </Form>
  );
}
