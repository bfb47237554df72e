import type { ListedWithdrawal } from "gateway-api";
import { useState } from "preact/hooks";
import { Filter } from "../components/fields";
import { List } from "../components/list";
import { Badge } from "../components/panel";
import { dateTime, money, shorten } from "../format";
import { ofWithdrawal } from "../labels";
import { useDesk } from "../use";
import { sentenceOf } from "../waits";

const OPTIONS: [string, string][] = [
  ["", "All withdrawals"],
  ["APPROVAL", "Wait for an approval"],
  ["FEE", "Wait for a lower fee"],
];

export function Withdrawals() {
  const { business } = useDesk();
  const [waitingFor, setWaitingFor] = useState("");
  return (
    <>
      <form class="finder" onSubmit={(event) => event.preventDefault()}>
        <Filter label="Which withdrawals" value={waitingFor} options={OPTIONS} choose={setWaitingFor} />
      </form>
      <List<ListedWithdrawal>
        title="Withdrawals"
        path="/api/v1/withdrawals"
        filter={{ businessId: business, waitingFor }}
        columns={["Withdrawal", "Status", "Amount", "Value", "To", "Created"]}
        id={({ withdrawId }) => withdrawId}
        row={(withdrawal) => [
          <a class="wrap" href={`#/withdrawals/${withdrawal.withdrawId}`} data-part="open" data-value={withdrawal.clientWithdrawId}>
            {withdrawal.clientWithdrawId}
          </a>,
          <span>
            <Badge label={ofWithdrawal(withdrawal)} part="status" value={withdrawal.waitingFor ?? withdrawal.status} />
            {withdrawal.waitingReason && (
              <>
                <br />
                <small class="from">{sentenceOf(withdrawal.waitingReason)}</small>
              </>
            )}
          </span>,
          `${withdrawal.estimatedWithdrawAmount} ${withdrawal.withdrawCurrency}`,
          money(withdrawal.estimatedDisplayAmount, withdrawal.displayCurrency),
          <span class="mono" title={withdrawal.recipientAddress}>
            {shorten(withdrawal.recipientAddress)}
          </span>,
          dateTime(withdrawal.createdAt),
        ]}
        part="withdrawal"
        empty={waitingFor ? "No withdrawal waits for this." : "Nothing was withdrawn."}
        icon="send"
      />
    </>
  );
}
