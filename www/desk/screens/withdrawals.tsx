import type { ListedWithdrawal } from "gateway-api";
import { List } from "../components/list";
import { Badge } from "../components/panel";
import { dateTime, money, shorten } from "../format";
import { WITHDRAWAL, labelOf } from "../labels";
import { useDesk } from "../use";

export function Withdrawals() {
  const { business } = useDesk();
  return (
    <List<ListedWithdrawal>
      title="Withdrawals"
      path="/api/v1/withdrawals"
      filter={{ businessId: business }}
      columns={["Id of yours", "Status", "Amount", "Value", "To", "Created"]}
      id={({ withdrawId }) => withdrawId}
      row={(withdrawal) => [
        <span class="wrap">{withdrawal.clientWithdrawId}</span>,
        <Badge label={labelOf(WITHDRAWAL, withdrawal.status)} part="status" value={withdrawal.status} />,
        `${withdrawal.estimatedWithdrawAmount} ${withdrawal.withdrawCurrency}`,
        money(withdrawal.estimatedDisplayAmount, withdrawal.displayCurrency),
        <span class="mono" title={withdrawal.recipientAddress}>
          {shorten(withdrawal.recipientAddress)}
        </span>,
        dateTime(withdrawal.createdAt),
      ]}
      part="withdrawal"
      empty="Nothing was withdrawn."
      icon="send"
    />
  );
}
