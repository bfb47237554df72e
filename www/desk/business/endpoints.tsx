// Where callbacks go, and a test of each.
import type { Business, TestedCallback } from "gateway-api";
import { useState } from "preact/hooks";
import { gateway, post } from "../api";
import { tellFailure } from "../announce";
import { Icon } from "../components/icon";
import { Badge, Fold, Note, Panel } from "../components/panel";
import type { Label } from "../labels";
import { useIsHead, words } from "../use";

interface Endpoint {
  title: string;
  url: string | undefined;
  /** The event of a test. */
  event: string;
}

export function Endpoints({ business }: { business: Business }) {
  const endpoints: Endpoint[] = [
    { title: "Deposits", url: business.depositReceivedCallbackUrl, event: "depositReceived" },
    { title: "Withdrawals", url: business.withdrawalCallbackUrl, event: "withdrawalEnded" },
    { title: "Events", url: business.eventUrl, event: "payment.status" },
  ];
  return (
    <Panel title="Endpoints" part="endpoints">
      <ul class="cells">
        {endpoints.map((endpoint) => (
          <EndpointCell key={endpoint.event} business={business.id} endpoint={endpoint} />
        ))}
      </ul>
    </Panel>
  );
}

const FINE: Label = { word: "Answered", icon: "state-deposited", tone: "good" };
const BAD: Label = { word: "Refused", icon: "drop", tone: "bad" };
const SILENT: Label = { word: "No answer", icon: "drop", tone: "bad" };

function outcome({ httpStatus }: TestedCallback): Label {
  if (httpStatus === undefined) return SILENT;
  return httpStatus >= 200 && httpStatus < 300 ? FINE : BAD;
}

function EndpointCell({ business, endpoint: { title, url, event } }: { business: string; endpoint: Endpoint }) {
  const isHead = useIsHead();
  const [isBusy, setBusy] = useState(false);
  const [tested, setTested] = useState<TestedCallback | null>(null);
  const test = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      setTested(await post<TestedCallback>(gateway(`/api/v1/businesses/${business}/test-callback`), { event }));
    } catch (error) {
      tellFailure(words(error as Error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <li class="cell" data-part="endpoint" data-value={event}>
      <div class="cell-line">
        <strong>{title}</strong>
        {tested && <Badge label={outcome(tested)} part="tested" value={String(tested.httpStatus ?? "none")} />}
      </div>
      {url ? <p class="mono wrap">{url}</p> : <Note>None: nothing is sent.</Note>}
      {tested && (
        <>
          <p class="from" role="status">
            {tested.httpStatus ? `Status ${tested.httpStatus}` : tested.error} after {tested.durationMillis} ms
          </p>
          <Fold title="What was sent">
            <pre class="code-box wrap">{tested.body}</pre>
          </Fold>
        </>
      )}
      {url && isHead && (
        <div class="acts">
          <button type="button" class="act plain" aria-disabled={isBusy ? "true" : undefined} data-part="test" onClick={() => void test()}>
            <Icon name="send" />
            <span>{isBusy ? "Testing…" : "Send a test"}</span>
          </button>
        </div>
      )}
    </li>
  );
}
