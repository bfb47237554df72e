// One withdrawal, and the decision about it.
import type { ListedWithdrawal } from "gateway-api";
import { gateway, post } from "../api";
import { tell } from "../announce";
import { Ask } from "../components/ask";
import { CallbacksOf } from "../components/callback";
import { Failure } from "../components/list";
import { BackLink, Badge, Fact, Loading, Panel } from "../components/panel";
import { dateTime, money } from "../format";
import { ofWithdrawal } from "../labels";
import { useIsHead, useLoad } from "../use";
import { sentenceOf } from "../waits";

const MEANINGS: Record<string, string> = {
  NEW: "It is being screened and sent.",
  COMPLETED: "It was sent, and a block includes it.",
  FAILED: "It was not sent. Its money is back on the balance.",
  BLOCKED: "It was not sent: the screening or an operator refused it. Its money is back on the balance.",
};

export function Withdrawal({ id }: { id: string }) {
  const { data, error, reload } = useLoad<ListedWithdrawal>(gateway(`/api/v1/withdrawals/${id}`));
  return (
    <>
      <BackLink href="#/withdrawals">Withdrawals</BackLink>
      {error && <Failure error={error} />}
      {data ? (
        <div class="columns">
          <div class="column">
            <Head withdrawal={data} reload={reload} />
            <Panel title="Callbacks" part="callbacks">
              <CallbacksOf subjects={[id]} none="None: the withdrawal is not over." />
            </Panel>
          </div>
          <div class="column">
            <Facts withdrawal={data} />
          </div>
        </div>
      ) : (
        !error && <Loading rows={5} />
      )}
    </>
  );
}

function Head({ withdrawal, reload }: { withdrawal: ListedWithdrawal; reload: () => Promise<void> }) {
  const isHead = useIsHead();
  const { withdrawId, status, waitingFor, waitingReason, estimatedWithdrawAmount, withdrawCurrency, recipientAddress, memoType, network } = withdrawal;
  const decide = (act: "approve" | "reject" | "cancel", said: string) => async () => {
    const seen = { address: recipientAddress, memoType, amount: estimatedWithdrawAmount };
    await post(gateway(`/api/v1/withdrawals/${withdrawId}/${act}`), act === "approve" ? seen : undefined);
    tell(said);
    await reload();
  };
  const what = `${estimatedWithdrawAmount} ${withdrawCurrency}`;
  return (
    <section class="panel head" aria-label="Withdrawal">
      <div class="head-line">
        <h1 class="price">{what}</h1>
        <Badge label={ofWithdrawal(withdrawal)} part="status" value={waitingFor ?? status} />
      </div>
      <p class="says" data-part="why" data-value={waitingReason}>
        {waitingReason ? sentenceOf(waitingReason) : MEANINGS[status]}
      </p>
      <dl class="sums">
        <div>
          <dt>Value</dt>
          <dd>{money(withdrawal.estimatedDisplayAmount, withdrawal.displayCurrency)}</dd>
        </div>
        <div>
          <dt>Fee of the network</dt>
          <dd>
            {withdrawal.withdrawFee} {withdrawCurrency}
          </dd>
        </div>
        <div>
          <dt>Charged to the balance</dt>
          <dd>
            {withdrawal.settlementDeductedAmount} {withdrawal.settlementCurrency}
          </dd>
        </div>
      </dl>
      {waitingFor === "APPROVAL" && isHead && (
        <div class="acts">
          <Ask
            label="Approve"
            icon="check"
            title={`Approve ${what}?`}
            button="Approve it"
            part="approve"
            act={decide("approve", "The withdrawal is approved")}
          >
            {() => (
              <>
                <p>
                  It is sent on {network} to <span class="mono wrap">{recipientAddress}</span> and cannot be taken back.
                </p>
                <p class="caution">Ask the person who wanted it, by another way than the one it came by. A stolen token can ask for a withdrawal, too.</p>
              </>
            )}
          </Ask>
          <Ask
            label="Reject"
            title={`Reject ${what}?`}
            button="Reject it"
            part="reject"
            isGrave
            act={decide("reject", "The withdrawal is rejected")}
          >
            {() => <p>Nothing is sent. The money returns to the balance, and the callback says BLOCKED. This cannot be undone.</p>}
          </Ask>
        </div>
      )}
      {status === "NEW" && waitingFor !== "APPROVAL" && isHead && (
        <div class="acts">
          <Ask
            label="Cancel"
            title={`Cancel ${what}?`}
            button="Cancel it"
            part="cancel"
            isGrave
            act={decide("cancel", "The withdrawal is cancelled")}
          >
            {() => <p>Nothing is sent. The money returns to the balance, and the callback says BLOCKED. It is refused once the transaction is signed.</p>}
          </Ask>
        </div>
      )}
    </section>
  );
}

const Facts = ({ withdrawal }: { withdrawal: ListedWithdrawal }) => (
  <Panel title="Facts">
    <dl class="lines">
      <Fact label="Your id" copy={withdrawal.clientWithdrawId} part="order">
        {withdrawal.clientWithdrawId}
      </Fact>
      <Fact label="Withdrawal" copy={withdrawal.withdrawId} mono>
        {withdrawal.withdrawId}
      </Fact>
      <Fact label="To" copy={withdrawal.recipientAddress} mono>
        {withdrawal.recipientAddress}
      </Fact>
      <Fact label="Network">{withdrawal.network}</Fact>
      {withdrawal.transactionId && (
        <Fact label="Transaction" copy={withdrawal.transactionId} mono>
          {withdrawal.transactionId}
        </Fact>
      )}
      <Fact label="Asked for by">{INITIATORS[withdrawal.initiatedBy] ?? withdrawal.initiatedBy}</Fact>
      <Fact label="Created">{dateTime(withdrawal.createdAt)}</Fact>
    </dl>
  </Panel>
);

const INITIATORS: Record<string, string> = {
  BUSINESS_TOKEN: "a token of the business",
  ORGANISATION_KEY: "an organisation key, or a manager at the desk",
};
