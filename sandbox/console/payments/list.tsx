import { openDialog } from "../actions/dialog";
import { clearFilter, loadOlder, setFilter } from "../actions/payments";
import { ActionButton } from "../components/button";
import { Input, Select, valuesOf } from "../components/form";
import { Icon } from "../../../www/desk/components/icon";
import { Empty, Loading } from "../../../www/desk/components/panel";
import { age, money } from "../../../www/desk/format";
import { PAYMENT, labelOf } from "../../../www/desk/labels";
import type { PaymentSummary } from "../model";
import { refresh } from "../poll";
import { state } from "../store";

/** The payments, newest first. */
export function List() {
  const rows = state.payments && [...state.payments, ...state.olderPayments];
  return (
    <section class="side" aria-label="Payments">
      <Filter />
      {rows === null ? (
        <Loading rows={4} />
      ) : rows.length === 0 ? (
        <NoPayments />
      ) : (
        <ul class="rows-list">
          {rows.map((payment) => (
            <Row key={payment.paymentId} payment={payment} />
          ))}
        </ul>
      )}
      {state.hasOlderPayments && (
        <p class="more">
          <ActionButton name="older" action={loadOlder}>
            Show older payments
          </ActionButton>
        </p>
      )}
    </section>
  );
}

const STATUSES: [string, string][] = Object.entries(PAYMENT).map(([status, { word }]) => [status, word]);

function Filter() {
  const filter = (form: HTMLFormElement) => {
    const { status = "", search = "" } = valuesOf(form);
    setFilter(status, search);
    void refresh();
  };
  return (
    <form
      class="filter"
      role="search"
      onSubmit={(event) => event.preventDefault()}
      onInput={(event) => filter(event.currentTarget)}
    >
      <label class="seek">
        <Icon name="search" />
        <span class="offscreen">Search payments</span>
        <Input name="search" type="search" placeholder="Search" title="Order, id, address or transaction" part="search" />
      </label>
      <label class="narrow">
        <span class="offscreen">Status</span>
        <Select name="status" options={[["", "All"], ...STATUSES]} initial={state.status} part="filter" />
      </label>
    </form>
  );
}

function Row({ payment }: { payment: PaymentSummary }) {
  const { paymentId, clientPaymentId, status, type, displayAmount, displayCurrency, depositAmount, depositCurrency, createdAt } =
    payment;
  const label = labelOf(PAYMENT, status);
  const note = depositAmount && depositCurrency ? `${depositAmount} ${depositCurrency}` : type === "REUSABLE" ? "reusable" : "";
  return (
    <li>
      <a
        class="row"
        href={`#/payments/${paymentId}`}
        aria-current={paymentId === state.route.id ? "true" : undefined}
        data-part="payment"
        data-value={paymentId}
      >
        <span class={`mark ${label.tone}`}>
          <Icon name={label.icon} />
        </span>
        <span class="row-name">{clientPaymentId}</span>
        <span class="row-amount">{displayAmount ? money(displayAmount, displayCurrency) : "–"}</span>
        <span class={`row-state ${label.tone}`}>{label.word}</span>
        <span class="row-note">{note}</span>
        <span class="row-age">{age(createdAt)}</span>
      </a>
    </li>
  );
}

const NoPayments = () =>
  state.search || state.status ? (
    <Empty icon="search" title="No matching payments" text="No payment has this status and matches this search.">
      <button type="button" class="act plain" data-do="unfilter" onClick={() => clearFilter().then(refresh)}>
        Show all
      </button>
    </Empty>
  ) : (
    <Empty icon="list" title="No payments yet" text="Create one here, or buy something in the demo shop.">
      <ActionButton name="open new" action={() => openDialog("new")} icon="plus">
        New payment
      </ActionButton>
    </Empty>
  );
