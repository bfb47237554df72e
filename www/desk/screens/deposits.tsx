import type { ListedDeposit } from "gateway-api";
import { useState } from "preact/hooks";
import { List } from "../components/list";
import { Icon } from "../components/icon";
import { Badge } from "../components/panel";
import { dateTime, money, shorten } from "../format";
import { DEPOSIT, type Label, labelOf } from "../labels";
import { useDesk } from "../use";

const REASONS: Record<string, string> = {
  SENDER: "its sender",
  CURRENCY: "its currency",
  AMOUNT: "its amount",
};

/** Deposits, first those that an operator holds: the money is there, and credited to nobody. */
export function Deposits() {
  const { business } = useDesk();
  const [held, setHeld] = useState("true");
  return (
    <>
      <form class="finder" onSubmit={(event) => event.preventDefault()}>
        <span class="pick">
          <select aria-label="Which deposits" value={held} data-part="filter" onChange={(event) => setHeld(event.currentTarget.value)}>
            <option value="true">Held or refused</option>
            <option value="">All</option>
          </select>
          <Icon name="chevron-down" />
        </span>
      </form>
      <List<ListedDeposit>
        title={held ? "Held deposits" : "Deposits"}
        path="/api/v1/deposits"
        filter={{ businessId: business, held }}
        columns={["Order", "Amount", "State", "Transaction", "Received"]}
        id={({ id }) => id}
        row={(deposit) => [
          <a class="wrap" href={`#/payments/${deposit.paymentId}`}>
            {deposit.clientPaymentId}
          </a>,
          <span>
            {deposit.depositAmount} {deposit.depositCurrency}
            <br />
            <small class="from">{money(deposit.displayAmount, deposit.displayCurrency)}</small>
          </span>,
          <Badge label={state(deposit)} part="state" value={deposit.heldFor ?? deposit.status} />,
          <span class="mono" title={deposit.transactionId}>
            {shorten(deposit.transactionId)}
          </span>,
          dateTime(deposit.depositReceivedAt),
        ]}
        part="deposit"
        empty="No deposit is held: every one is credited to its payment."
        icon="flag"
      />
    </>
  );
}

function state({ heldFor, refused, status }: ListedDeposit): Label {
  if (refused) return { word: "Refused", icon: "drop", tone: "bad" };
  if (heldFor) return { word: `Held for ${REASONS[heldFor] ?? heldFor.toLowerCase()}`, icon: "flag", tone: "warn" };
  return labelOf(DEPOSIT, status);
}
