import type { ListedWithdrawal } from "gateway-api";
import { gateway } from "../../www/desk/api";
import { Note, Panel } from "../../www/desk/components/panel";
import { useLoad } from "../../www/desk/use";
import { ChainActs } from "./chains";
import { TransactionCell } from "./transactions";

/** What becomes of the withdrawal that is open at the desk. */
export function OpenWithdrawal({ id }: { id: string }) {
  const { data } = useLoad<ListedWithdrawal>(gateway(`/api/v1/withdrawals/${id}`));
  if (!data) return null;
  const { transactionId, network, estimatedWithdrawAmount, withdrawCurrency } = data;
  return (
    <Panel title="This withdrawal" part="open-withdrawal">
      {transactionId ? (
        <ul class="cells">
          <TransactionCell id={transactionId} what={`${estimatedWithdrawAmount} ${withdrawCurrency}`} network={network} isPending={false} isPayout />
        </ul>
      ) : (
        <Note>No transaction was sent.</Note>
      )}
      <ChainActs network={network} />
    </Panel>
  );
}
