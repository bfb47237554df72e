import { advanceClock } from "../actions/chain";
import { resend } from "../actions/inbox";
import { now } from "../api";
import { ActionButton } from "../components/button";
import { Icon } from "../../../www/desk/components/icon";
import { Badge, Copyable, Note, Panel } from "../../../www/desk/components/panel";
import { duration, time } from "../../../www/desk/format";
import { CALLBACK, labelOf } from "../../../www/desk/labels";
import type { Attempt, Callback } from "../model";

export const Callbacks = ({ callbacks }: { callbacks: Callback[] }) => (
  <Panel title="Callbacks">
    {callbacks.length === 0 ? (
      <Note>One for each deposit, once it counts.</Note>
    ) : (
      <ul class="cells">
        {callbacks.map((callback) => (
          <CallbackCell key={callback.id} callback={callback} />
        ))}
      </ul>
    )}
  </Panel>
);

function CallbackCell({ callback }: { callback: Callback }) {
  const { id, event, state, attempts, dueAt } = callback;
  const isRunning = attempts.some(({ millis }) => millis === null);
  const wait = dueAt === null ? 0 : dueAt - now();
  const isWaiting = state === "PENDING" && !isRunning && wait > 0;
  return (
    <li class="cell" data-part="callback" data-value={state}>
      <div class="cell-line">
        <strong>{event}</strong>
        <Badge label={labelOf(CALLBACK, state)} />
      </div>
      <Copyable text={id} what="the callback's id">
        <span class="mono">{id}</span>
      </Copyable>
      <ol class="attempts">
        {attempts.map((attempt) => (
          <AttemptLine key={attempt.number} attempt={attempt} />
        ))}
      </ol>
      {isWaiting && (
        <Note>
          <Icon name="clock" />
          next attempt in {duration(wait)}
        </Note>
      )}
      <div class="acts">
        {isWaiting && attempts.length > 0 && (
          <ActionButton name="advance" action={() => advanceClock(wait)} icon="forward" part="next-try">
            Go to the next attempt
          </ActionButton>
        )}
        <ActionButton name="resend" action={() => resend(id)} icon="resend" part="resend">
          Resend
        </ActionButton>
        <a class="act plain" href={`#/inbox/${id}`} data-part="to-inbox">
          <Icon name="inbox" />
          In the inbox
        </a>
      </div>
    </li>
  );
}

function AttemptLine({ attempt: { number, startedAt, status, reason, millis } }: { attempt: Attempt }) {
  const isRunning = millis === null;
  const succeeded = status !== null && status >= 200 && status < 300;
  const outcome = isRunning ? "in progress" : status === null ? reason : `answered ${status}`;
  return (
    <li data-part="attempt" data-value={status ?? ""}>
      <span class={`mark ${isRunning ? "busy" : succeeded ? "good" : "bad"}`}>
        <Icon name={isRunning ? "state-pending" : succeeded ? "check" : "cross"} />
      </span>
      <span>
        Attempt {number}, {time(startedAt)}: <strong>{outcome}</strong>
        {!isRunning && ` in ${millis} ms`}
      </span>
    </li>
  );
}
