// One payment with its whole story.
import type { Payment as PaymentInfo } from "gateway-api";
import { gateway } from "../api";
import { CallbacksOf } from "../components/callback";
import { Failure } from "../components/list";
import { BackLink, Loading, Panel } from "../components/panel";
import { Bookkeeping } from "../payment/bookkeeping";
import { Deposits } from "../payment/deposits";
import { Facts } from "../payment/facts";
import { Head } from "../payment/head";
import { Quotes } from "../payment/quotes";
import { Refunds } from "../payment/refunds";
import { useLoad } from "../use";

/** The newest deposits whose callbacks are loaded again and again. */
const FOLLOWED = 10;

export function Payment({ id }: { id: string }) {
  const { data: payment, error, reload } = useLoad<PaymentInfo>(gateway(`/api/v1/payments/${id}`));
  return (
    <>
      <BackLink href="#/payments">Payments</BackLink>
      {error && <Failure error={error} />}
      {payment ? <Story payment={payment} reload={reload} /> : !error && <Loading rows={5} />}
    </>
  );
}

const Story = ({ payment, reload }: { payment: PaymentInfo; reload: () => Promise<void> }) => (
  <div class="columns">
    <div class="column">
      <Head payment={payment} reload={reload} />
      <Deposits payment={payment} />
      <Refunds payment={payment} reload={reload} />
      <Bookkeeping payment={payment} />
    </div>
    <div class="column">
      <Facts payment={payment} />
      <Quotes payment={payment} />
      <Callbacks payment={payment} />
    </div>
  </div>
);

/** The events of the payment, and the callbacks of its last deposits. */
function Callbacks({ payment }: { payment: PaymentInfo }) {
  const subjects = [payment.paymentId, ...payment.deposits.slice(-FOLLOWED).map(({ id }) => id)];
  const isPart = payment.deposits.length > FOLLOWED;
  return (
    <Panel title={isPart ? `Callbacks of the last ${FOLLOWED} deposits` : "Callbacks"} part="callbacks">
      <CallbacksOf subjects={subjects} none="None: no deposit was confirmed." />
    </Panel>
  );
}
