import { resend } from "../actions/inbox";
import { CopyButton } from "../../../www/desk/components/copy";
import { ActionButton } from "../components/button";
import { Icon } from "../../../www/desk/components/icon";
import { BackLink, Badge, Fact, Note, Panel } from "../../../www/desk/components/panel";
import { dateTime, plural } from "../../../www/desk/format";
import { CALLBACK, SIGNATURE, labelOf } from "../../../www/desk/labels";
import type { Delivery } from "../model";
import { state, update } from "../store";
import { indented } from "./json";

export const DeliveryDetail = ({ delivery }: { delivery: Delivery }) => (
  <>
    <BackLink href="#/inbox">All deliveries</BackLink>
    <Head delivery={delivery} />
    <Body body={delivery.body} />
    <Headers headers={delivery.headers} />
  </>
);

function Head({ delivery }: { delivery: Delivery }) {
  const { webhookId, paymentId, event, attempts, verdict, answered, delaySeconds } = delivery;
  return (
    <header class="panel head">
      <div class="head-line">
        <h2 tabindex={-1} data-part="title">
          {event ?? "Unknown event"}
        </h2>
        <Badge label={labelOf(SIGNATURE, verdict)} part="verdict" value={verdict} />
      </div>
      <dl class="lines">
        <Fact label="Received">{dateTime(delivery.receivedAt)}</Fact>
        <Fact label="Answered">
          {answered}
          {delaySeconds > 0 && ` after ${delaySeconds} s`}
        </Fact>
        {webhookId && (
          <Fact label="Event id" copy={webhookId} mono part="webhook-id">
            {webhookId}
          </Fact>
        )}
        {attempts !== null && (
          <Fact label="Callback">
            {labelOf(CALLBACK, delivery.state ?? "").word.toLowerCase()}, {plural(attempts, "attempt")}
          </Fact>
        )}
      </dl>
      <div class="acts">
        {event && (
          <ActionButton name="resend" action={() => resend(webhookId)} icon="resend" part="resend">
            Resend
          </ActionButton>
        )}
        {paymentId && (
          <a class="act plain" href={`#/payments/${paymentId}`}>
            <Icon name="list" />
            Its payment
          </a>
        )}
      </div>
    </header>
  );
}

function Body({ body }: { body: string }) {
  const formatted = indented(body);
  const isRaw = state.showRawBody || formatted === null;
  return (
    <Panel title="Body">
      <div class="cell-line">
        {formatted === null ? (
          <span class="quiet-note">No JSON</span>
        ) : (
          <div class="tabs" role="group" aria-label="Format of the body">
            <Tab label="Formatted" pressed={!isRaw} onClick={() => update({ showRawBody: false })} />
            <Tab label="Raw bytes" pressed={isRaw} onClick={() => update({ showRawBody: true })} part="raw" />
          </div>
        )}
        <span class="quiet-note">{plural(new TextEncoder().encode(body).length, "byte")}</span>
        <CopyButton text={body} what="the body" />
      </div>
      <pre class={isRaw ? "code-box wrap" : "code-box"} tabindex={0} role="region" aria-label="Text of the body" data-part="body">
        {isRaw ? body : formatted}
      </pre>
    </Panel>
  );
}

const Tab = ({ label, pressed, onClick, part }: { label: string; pressed: boolean; onClick: () => void; part?: string }) => (
  <button type="button" class="tab" aria-pressed={pressed} onClick={onClick} data-part={part}>
    {label}
  </button>
);

/** The headers, those of the webhook first. */
const Headers = ({ headers }: { headers: Delivery["headers"] }) => (
  <Panel title="Headers">
    <dl class="lines">
      {headers
        .toSorted(([a], [b]) => Number(b.startsWith("webhook-")) - Number(a.startsWith("webhook-")))
        .map(([name, value]) => (
          <div class="line" data-part="header" data-value={name} key={name}>
            <dt class="mono">{name}</dt>
            <dd>
              <span class="mono">{value}</span>
              <CopyButton text={value} what={name} />
            </dd>
          </div>
        ))}
    </dl>
    <Note>Signed as in Standard Webhooks: HMAC-SHA256 over id.timestamp.body. The secret is under World, Credentials.</Note>
  </Panel>
);
