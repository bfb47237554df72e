import { BackLink, Empty, Loading } from "../../../www/desk/components/panel";
import { state } from "../store";
import { Addresses } from "./addresses";
import { Callbacks } from "./callbacks";
import { Choose } from "./choose";
import { Deposits } from "./deposits";
import { Facts } from "./facts";
import { Head } from "./head";
import { Ledger } from "./ledger";
import { Simulate } from "./simulate";
import { Timeline } from "./timeline";

/** The chosen payment with all its data. */
export function Detail() {
  const { route, detail, detailMissing } = state;
  if (route.id === null) {
    return (
      <div class="panel hollow">
        <Empty icon="list" title="Choose a payment" text="Its deposits, callbacks and timeline are shown here, live." />
      </div>
    );
  }
  if (detailMissing) {
    return (
      <div class="panel hollow">
        <Back />
        <Empty icon="search" title="Payment not found" text="It may belong to another database." />
      </div>
    );
  }
  if (detail === null) {
    return (
      <div class="panel">
        <Loading rows={3} />
      </div>
    );
  }
  return (
    <>
      <Back />
      <Head detail={detail} />
      <div class="columns">
        <div class="column">
          {detail.quote ? <Simulate detail={detail} quote={detail.quote} /> : <Choose detail={detail} />}
          <Deposits detail={detail} />
          <Callbacks callbacks={detail.callbacks} />
          <Ledger entries={detail.ledger} />
        </div>
        <div class="column">
          <Timeline events={detail.events} />
          <Addresses addresses={detail.addresses} />
          <Facts detail={detail} />
        </div>
      </div>
    </>
  );
}

const Back = () => <BackLink href="#/payments">All payments</BackLink>;
