import type { Payment } from "gateway-api";
import { useEffect, useState } from "preact/hooks";
import { gateway, get, query } from "../api";
import { Icon } from "../components/icon";
import { Failure, List } from "../components/list";
import { Badge, Empty, Loading, Panel } from "../components/panel";
import { dateTime, money } from "../format";
import { PAYMENT, labelOf } from "../labels";
import { Problem } from "../problem";
import { useDesk } from "../use";

const STATUSES = Object.entries(PAYMENT);
const COLUMNS = ["Order", "Status", "Price", "Received", "Created"];

const SETTLE_MILLIS = 300;

/** All payments, or those that a customer can mean. */
export function Payments() {
  const { business } = useDesk();
  const [typed, setTyped] = useState("");
  const [search, setSearch] = useState("");
  const [status, setStatus] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), SETTLE_MILLIS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <>
      <form class="finder" role="search" onSubmit={(event) => event.preventDefault()}>
        <label class="seek">
          <Icon name="search" />
          <span class="offscreen">Find by order, payment id, address or transaction</span>
          <input
            type="search"
            name="search"
            autocomplete="off"
            spellcheck={false}
            placeholder="Order, address or transaction"
            value={typed}
            data-part="search"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        {search === "" && (
          <span class="pick">
            <select aria-label="Status" value={status} data-part="filter" onChange={(event) => setStatus(event.currentTarget.value)}>
              <option value="">All</option>
              {STATUSES.map(([code, { word }]) => (
                <option key={code} value={code}>
                  {word}
                </option>
              ))}
            </select>
            <Icon name="chevron-down" />
          </span>
        )}
      </form>
      {search ? (
        <Found search={search} />
      ) : (
        <List<Payment>
          title="Payments"
          path="/api/v1/payments"
          filter={{ businessId: business, status }}
          columns={COLUMNS}
          id={(payment) => payment.paymentId}
          row={(payment) => cells(payment)}
          part="payment"
          empty="No payment has this status."
        />
      )}
    </>
  );
}

function cells(payment: Payment) {
  const { paymentId, clientPaymentId, status, expectedDisplayAmount, actualDisplayAmount, displayCurrency } = payment;
  return [
    <a class="wrap" href={`#/payments/${paymentId}`} data-part="open" data-value={clientPaymentId}>
      {clientPaymentId}
    </a>,
    <Badge label={labelOf(PAYMENT, status)} part="status" value={status} />,
    expectedDisplayAmount ? money(expectedDisplayAmount, displayCurrency) : "–",
    actualDisplayAmount ? money(actualDisplayAmount, displayCurrency) : "–",
    dateTime(payment.paymentInitiatedAt),
  ];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Asks by everything that the text can be. What it cannot be is refused by the gateway, and is no result. */
async function find(business: string, search: string): Promise<Payment[]> {
  const list = (name: string) => get<Payment[]>(gateway(`/api/v1/payments?${query({ businessId: business, [name]: search })}`));
  const asked = ["clientPaymentId", "address", "transactionId"].map(list);
  if (UUID.test(search)) asked.push(get<Payment>(gateway(`/api/v1/payments/${search}`)).then((payment) => [payment]));
  const answers = await Promise.allSettled(asked);
  const found = new Map<string, Payment>();
  for (const answer of answers) {
    if (answer.status === "fulfilled") for (const payment of answer.value) found.set(payment.paymentId, payment);
    else if (!(answer.reason instanceof Problem && [404, 422].includes(answer.reason.status))) throw answer.reason;
  }
  return [...found.values()];
}

function Found({ search }: { search: string }) {
  const { business, signedOut } = useDesk();
  const [found, setFound] = useState<{ search: string; payments: Payment[] } | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    let isCurrent = true;
    setFailure(null);
    find(business, search).then(
      (payments) => isCurrent && setFound({ search, payments }),
      (error: Error) => {
        if (error instanceof Problem && error.status === 401) signedOut();
        if (isCurrent) setFailure(error);
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [business, search]);
  if (failure) return <Failure error={failure} />;
  if (found?.search !== search) return <Loading rows={3} />;
  return (
    <Panel title="Found" part="found">
      {found.payments.length === 0 ? (
        <Empty icon="search" title="No payment found" text="Type a whole order id, address or transaction id." />
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Found payments, table">
          <table class="table">
            <thead>
              <tr>
                {COLUMNS.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {found.payments.map((payment) => (
                <tr key={payment.paymentId} data-part="payment" data-value={payment.paymentId}>
                  {cells(payment).map((cell, place) => (
                    <td key={COLUMNS[place]} data-label={COLUMNS[place]}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
