import { useEffect, useState } from "preact/hooks";
import { now } from "../../www/desk/clock";
import { Icon } from "../../www/desk/components/icon";
import { Failure } from "../../www/desk/components/list";
import { duration, time } from "../../www/desk/format";
import { useLoad, useRoute } from "../../www/desk/use";
import { Chains } from "./chains";
import { Clock } from "./clock";
import { Credentials } from "./credentials";
import { FlaggedSenders } from "./flagged_senders";
import { Inbox } from "./inbox";
import { NewPayment } from "./new_payment";
import { OpenPayment } from "./payment";
import { Rates } from "./rates";
import { Requests } from "./requests";
import { OpenWithdrawal } from "./withdrawal";
import { type World, WorldContext } from "./world";

export function Drawer({ close }: { close: () => void }) {
  const { view, id } = useRoute();
  const { data: world, error } = useLoad<World>("/sandbox/overview");
  return (
    <WorldContext.Provider value={world}>
      <header class="drawer-head">
        <h2>Simulator</h2>
        <Time ahead={world?.clockAheadSeconds ?? 0} />
        <button type="button" class="mini" aria-label="Close the simulator" onClick={close} data-part="drawer-close">
          <Icon name="cross" />
        </button>
      </header>
      <div class="drawer-body">
        {error && <Failure error={error} />}
        {view === "payments" && id && <OpenPayment key={id} id={id} />}
        {view === "withdrawals" && id && <OpenWithdrawal key={id} id={id} />}
        <NewPayment />
        <Clock />
        <Chains />
        <Inbox />
        <Rates />
        <FlaggedSenders />
        <Credentials />
        <Requests />
      </div>
    </WorldContext.Provider>
  );
}

/** The gateway's clock. */
function Time({ ahead }: { ahead: number }) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick(now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="mono" title="The gateway's clock" data-part="clock" data-value={ahead}>
      {time(now())}
      {ahead > 0 && ` (+${duration(ahead)})`}
    </p>
  );
}
