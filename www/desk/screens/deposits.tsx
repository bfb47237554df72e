import type { ListedDeposit } from "gateway-api";
import { useState } from "preact/hooks";
import { HeldDecision } from "../components/held";
import { Filter } from "../components/fields";
import { List } from "../components/list";
import { Badge } from "../components/panel";
import { dateTime, shorten, valueOf } from "../format";
import { DEPOSIT, type Label, labelOf } from "../labels";
import { useDesk } from "../use";

const REASONS: Record<string, string> = {
  SENDER: "its sender",
  CURRENCY: "its currency",
  NETWORK: "its network",
  AMOUNT: "its amount",
};

const OPTIONS: [string, string][] = [
  ["true", "Held or refused"],
  ["", "All deposits"],
];

/** Deposits, first those that an operator holds: the money is there, and credited to nobody. */
export function Deposits() {
  const { business } = useDesk();
  const [held, setHeld] = useState("true");
  const columns = ["Order", "Amount", "State", "Transaction", "Received", ...(held ? ["Decide"] : [])];
  return (
    <>
      <form class="finder" onSubmit={(event) => event.preventDefault()}>
        <Filter label="Which deposits" value={held} options={OPTIONS} choose={setHeld} />
      </form>
      <List<ListedDeposit>
        title={held ? "Held deposits" : "Deposits"}
        path="/api/v1/deposits"
        filter={{ businessId: business, held }}
        columns={columns}
        id={({ id }) => id}
        row={(deposit, reload) => [
          <a class="wrap" href={`#/payments/${deposit.paymentId}`}>
            {deposit.clientPaymentId}
          </a>,
          <span>
            {deposit.depositAmount} {deposit.depositCurrency}
            <br />
            <small class="from">{valueOf(deposit)}</small>
          </span>,
          <span>
            <Badge label={state(deposit)} part="state" value={deposit.decision ?? deposit.heldFor ?? deposit.status} />
            {deposit.senderOwner && (
              <>
                <br />
                <small class="from">{deposit.senderOwner}</small>
              </>
            )}
          </span>,
          <span class="mono" title={deposit.transactionId}>
            {shorten(deposit.transactionId)}
          </span>,
          dateTime(deposit.depositReceivedAt),
          ...(held ? [<HeldDecision deposit={deposit} done={reload} />] : []),
        ]}
        part="deposit"
        empty={held ? "No deposit is held: every one is credited to its payment." : "Nothing was received yet."}
        icon="flag"
      />
    </>
  );
}

function state({ heldFor, refused, status, decision }: ListedDeposit): Label {
  if (decision) return { word: decision === "RELEASE" ? "Being released" : "Being refused", icon: "state-pending", tone: "busy" };
  if (refused) return { word: "Refused", icon: "drop", tone: "bad" };
  if (heldFor) return { word: `Held for ${REASONS[heldFor] ?? heldFor.toLowerCase()}`, icon: "flag", tone: "warn" };
  return labelOf(DEPOSIT, status);
}
