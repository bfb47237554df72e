import type { Payment } from "gateway-api";
import { useEffect, useState } from "preact/hooks";
import { Filter } from "../components/fields";
import { Icon } from "../components/icon";
import { Failure, List } from "../components/list";
import { Badge, Empty, Loading, Panel } from "../components/panel";
import { Table } from "../components/table";
import { dateTime, money } from "../format";
import { PAYMENT, labelOf } from "../labels";
import { Problem } from "../problem";
import { find } from "../search";
import { useDesk } from "../use";

const OPTIONS: [string, string][] = [["", "All payments"], ...Object.entries(PAYMENT).map(([code, { word }]): [string, string] => [code, word])];
const COLUMNS = ["Order", "Status", "Price", "Coin", "Received", "Created"];

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
  const openOnly = () => {
    const found = document.querySelectorAll<HTMLAnchorElement>("[data-part=found] [data-part=open]");
    if (found.length === 1) found[0]!.click();
  };
  return (
    <>
      <form
        class="finder"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          openOnly();
        }}
      >
        <label class="seek">
          <Icon name="search" />
          <span class="offscreen">Find by order, payment id, address, transaction, amount or description</span>
          <input
            type="search"
            name="search"
            autocomplete="off"
            spellcheck={false}
            placeholder="Order, address, transaction or amount"
            value={typed}
            data-part="search"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        {search === "" && <Filter label="Status" value={status} options={OPTIONS} choose={setStatus} />}
      </form>
      {search ? (
        <Found search={search} />
      ) : (
        <List<Payment>
          title="Payments"
          path="/api/v1/payments"
          filter={{ businessId: business, status }}
          columns={COLUMNS}
          id={({ paymentId }) => paymentId}
          row={cells}
          part="payment"
          empty={status ? "No payment has this status." : "The first payment of the shop is shown here."}
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
    coinOf(payment),
    actualDisplayAmount ? money(actualDisplayAmount, displayCurrency) : "–",
    dateTime(payment.paymentInitiatedAt),
  ];
}

/** `BTC`, `USDT on TRX`. */
const coinOf = ({ depositCurrency: coin, expectedNetwork: network }: Payment): string =>
  !coin ? "–" : !network || network === coin ? coin : `${coin} on ${network}`;

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
    <Panel title="Found" part="found" value={search}>
      <p class="offscreen" role="status">
        {found.payments.length === 0 ? "No payment found" : `Found: ${found.payments.length}`}
      </p>
      {found.payments.length === 0 ? (
        <Empty
          icon="search"
          title="No payment found"
          text="Type a whole order id, address or transaction id, an exact amount, or words of the description."
        />
      ) : (
        <Table
          title="Found payments"
          columns={COLUMNS}
          rows={found.payments}
          id={({ paymentId }) => paymentId}
          cells={cells}
          part="payment"
        />
      )}
    </Panel>
  );
}
