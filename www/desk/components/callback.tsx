// Callbacks with every attempt.
import type { Callback } from "gateway-api";
import { gateway, query } from "../api";
import { dateTime } from "../format";
import { CALLBACK, labelOf } from "../labels";
import { Problem } from "../problem";
import { useDesk, useLoad } from "../use";
import { Failure } from "./list";
import { Badge, Fold, Note } from "./panel";
import { Resend } from "./resend";

/** The callbacks that are about these deposits or withdrawals. */
export function CallbacksOf({ subjects, none }: { subjects: string[]; none: string }) {
  if (subjects.length === 0) return <Note>{none}</Note>;
  return (
    <ul class="cells">
      {subjects.map((subject) => (
        <CallbacksAbout key={subject} subject={subject} none={subjects.length === 1 ? none : null} />
      ))}
    </ul>
  );
}

function CallbacksAbout({ subject, none }: { subject: string; none: string | null }) {
  const { business } = useDesk();
  const path = gateway(`/api/v1/callbacks?${query({ businessId: business, subjectId: subject })}`);
  const { data, error, reload } = useLoad<Callback[]>(path);
  // Some deposits and refunds have no callbacks of their own.
  const isSilent = error instanceof Problem && error.errors.some(({ code }) => code === "not_a_subject");
  if (error && !isSilent) {
    return (
      <li>
        <Failure error={error} />
      </li>
    );
  }
  if ((isSilent || data?.length === 0) && none) {
    return (
      <li>
        <Note>{none}</Note>
      </li>
    );
  }
  return (
    <>
      {data?.map((callback) => (
        <CallbackCell key={callback.id} callback={callback} reload={reload} />
      ))}
    </>
  );
}

const CallbackCell = ({ callback, reload }: { callback: Callback; reload: () => Promise<void> }) => (
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
