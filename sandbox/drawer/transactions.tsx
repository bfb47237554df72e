import type { CheckoutView, ListedRefund, Payment } from "gateway-api";
import { gateway, query } from "../../www/desk/api";
import { shorten } from "../../www/desk/format";
import { useDesk, useLoad } from "../../www/desk/use";
import { ActButton } from "./acts";
import { drop, mine, revert } from "./world";

interface TransactionsProps {
  payment: Payment;
  transfers: NonNullable<CheckoutView["transfers"]>;
}

/** The deposits that are on their chain, and the refunds that were sent. */
export function Transactions({ payment, transfers }: TransactionsProps) {
  const { business } = useDesk();
  const refunds = useLoad<ListedRefund[]>(gateway(`/api/v1/refunds?${query({ businessId: business, paymentId: payment.paymentId })}`));
  return (
    <ul class="cells">
      {payment.deposits.map(({ id, depositAmount, depositCurrency, transactionId, status }) => (
        <TransactionCell
          key={id}
          id={transactionId}
          what={`${depositAmount} ${depositCurrency}`}
          network={transfers.find(({ depositId }) => depositId === id)?.network}
          isPending={status === "UNCONFIRMED"}
        />
      ))}
      {refunds.data?.map(
        ({ refundId, amount, currency, network, transactionId, status }) =>
          transactionId && (
            <TransactionCell
              key={refundId}
              id={transactionId}
              what={`Refund of ${amount} ${currency}`}
              network={network}
              isPending={status === "PENDING"}
              isPayout
            />
          ),
      )}
    </ul>
  );
}

interface TransactionCellProps {
  id: string;
  what: string;
  network?: string;
  isPending: boolean;
  /** Sent by the gateway, so that it can revert. */
  isPayout?: boolean;
}

/** A transaction, and what its chain can do to it. */
export const TransactionCell = ({ id, what, network, isPending, isPayout }: TransactionCellProps) => (
  <li class="cell" data-part="transaction" data-value={isPending ? "pending" : "confirmed"}>
    <div class="cell-line">
      <strong>{what}</strong>
      <small class="mono from" title={id}>
        {shorten(id, 6)}
      </small>
    </div>
    <div class="acts">
      {isPending && network && (
        <ActButton act={() => mine(network)} icon="block" part="confirm">
          Confirm
        </ActButton>
      )}
      {isPayout && (
        <ActButton act={() => revert(id)} icon="cross" part="revert">
          Revert
        </ActButton>
      )}
      <ActButton act={() => drop(id)} icon="drop" tone="plain danger" part="drop">
        Drop
      </ActButton>
    </div>
  </li>
);
