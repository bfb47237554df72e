// The built-in receiver of callbacks: what arrived, and what it answered.
import { Choice, Field } from "../../www/desk/components/fields";
import { Fold, Badge, Note, Panel } from "../../www/desk/components/panel";
import { aboutOf } from "../../www/desk/about";
import { AboutLink } from "../../www/desk/components/about";
import { age } from "../../www/desk/format";
import { type Label, labelOf } from "../../www/desk/labels";
import { useLoad } from "../../www/desk/use";
import { ActForm } from "./acts";
import { post } from "./requests";
import { useWorld } from "./world";

/** A row of `GET /sandbox/inbox` */
interface Delivery {
  id: string;
  receivedAt: number;
  headers: [name: string, value: string][];
  body: string;
  verdict: string;
  answered: number;
  event: string | null;
}

const SIGNATURE: Record<string, Label> = {
  VERIFIED: { word: "Signature verified", icon: "verified", tone: "good" },
  WRONG: { word: "Signature is wrong", icon: "unverified", tone: "bad" },
  MISSING: { word: "No signature", icon: "unverified", tone: "warn" },
};

const STATUSES = ["500", "503", "404", "410", "302", "204"].map((status): [string, string] => [status, status]);

export function Inbox() {
  const { data } = useLoad<Delivery[]>("/sandbox/inbox?limit=5");
  const { status = 204, times = 0, delaySeconds = 0 } = useWorld()?.inbox ?? {};
  return (
    <Panel title="Inbox" part="inbox" value={String(times)}>
      <Note>
        {times > 0
          ? `Answers the next ${times} with ${status}${delaySeconds > 0 ? ` after ${delaySeconds} s` : ""}.`
          : "Receives the callbacks of the sandbox's business, and answers 204."}
      </Note>
      <Fold title="Answer otherwise">
        <ActForm act={answer} button="Set the answer" part="answer">
          {(errorOf) => (
            <div class="grid narrow">
              <Choice label="Answer" name="status" options={STATUSES} error={errorOf("status")} />
              <Field label="Times" name="times" initial="1" inputmode="numeric" required error={errorOf("times")} />
              <Field label="After seconds" name="delaySeconds" initial="0" inputmode="numeric" error={errorOf("delaySeconds")} />
            </div>
          )}
        </ActForm>
      </Fold>
      <ul class="cells">
        {data?.map((delivery) => (
          <DeliveryCell key={delivery.id} delivery={delivery} />
        ))}
      </ul>
    </Panel>
  );
}

async function answer({ status, times, delaySeconds }: Record<string, string>): Promise<string> {
  await post("/sandbox/inbox/answers", { status: Number(status), times: Number(times), delaySeconds: Number(delaySeconds ?? 0) });
  return `The inbox answers ${status}, ${times} times`;
}

const DeliveryCell = ({ delivery: { receivedAt, headers, body, verdict, answered, event } }: { delivery: Delivery }) => (
  <li class="cell" data-part="delivery" data-value={verdict}>
    <div class="cell-line">
      <strong>{event ?? "Unknown event"}</strong>
      <span class={answered < 300 ? "pill good" : "pill bad"} data-part="answered" data-value={answered}>
        {answered}
      </span>
    </div>
    <div class="cell-line">
      <Badge label={labelOf(SIGNATURE, verdict)} />
      <small class="from">{age(receivedAt)}</small>
    </div>
    <AboutLine body={body} />
    <Fold title="Headers and body">
      <pre class="code-box wrap" data-part="delivered">
        {headers.map(([name, value]) => `${name}: ${value}`).join("\n")}
        {`\n\n${body}`}
      </pre>
    </Fold>
  </li>
);

function AboutLine({ body }: { body: string }) {
  const about = aboutOf(body);
  if (!about) return null;
  return (
    <div class="cell-line">
      <AboutLink about={about} />
      <span>{about.amount}</span>
    </div>
  );
}
