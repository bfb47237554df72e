// Callbacks with every attempt.
import type { Callback } from "gateway-api";
import { dateTime } from "../format";
import { CALLBACK, labelOf } from "../labels";
import { Badge, Fold } from "./panel";
import { Resend } from "./resend";

export const CallbackCell = ({ callback, reload }: { callback: Callback; reload: () => Promise<void> }) => (
  <li class="cell" data-part="callback" data-value={callback.status}>
    <div class="cell-line">
      <strong>{callback.event}</strong>
      <Badge label={labelOf(CALLBACK, callback.status)} />
    </div>
    <Attempts callback={callback} />
    <Fold title="Body">
      <pre class="code-box wrap">{pretty(callback.body)}</pre>
    </Fold>
    <div class="acts">
      <Resend id={callback.id} done={reload} />
    </div>
  </li>
);

/** What became of each attempt, newest last. */
export const Attempts = ({ callback }: { callback: Callback }) =>
  callback.attempts.length === 0 ? (
    <p class="quiet-note">Not sent yet.</p>
  ) : (
    <ol class="attempts">
      {callback.attempts.map(({ number, startedAt, httpStatus, error, durationMillis }) => (
        <li key={number} data-part="attempt" data-value={httpStatus ?? "none"}>
          <span>{dateTime(startedAt)}</span>
          <span>
            {httpStatus ? `answered ${httpStatus}` : (error ?? "in progress")}
            {durationMillis !== undefined && ` after ${durationMillis} ms`}
          </span>
        </li>
      ))}
    </ol>
  );

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
