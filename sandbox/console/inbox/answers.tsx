import { resetAnswers, setAnswers } from "../actions/inbox";
import { ActionButton } from "../components/button";
import { Field, Form, Input, Select } from "../components/form";
import { Icon } from "../../../www/desk/components/icon";
import { Fold } from "../../../www/desk/components/panel";
import { state } from "../store";

const STATUSES: [string, string][] = [
  ["500", "500 Internal Server Error"],
  ["503", "503 Service Unavailable"],
  ["404", "404 Not Found"],
  ["410", "410 Gone"],
  ["302", "302 Found"],
  ["200", "200 OK"],
];

/** The answer to the next deliveries. */
export function Answers() {
  const { status, times, delaySeconds } = state.overview?.inbox ?? { status: 204, times: 0, delaySeconds: 0 };
  const isDefault = times === 0;
  const delay = delaySeconds > 0 ? ` after ${delaySeconds} s` : "";
  return (
    <div class="manner">
      <p class={isDefault ? "manner-now" : "manner-now unusual"} data-part="manner" data-value={times}>
        <Icon name={isDefault ? "check" : "warning"} />
        {isDefault
          ? "Answers 204 at once"
          : `Answers ${status}${delay} to the next ${times === 1 ? "delivery" : `${times} deliveries`}`}
      </p>
      {!isDefault && (
        <ActionButton name="answers" action={resetAnswers} part="usual">
          Answer 204 again
        </ActionButton>
      )}
      <Fold title="Test retries">
        <Form class="grid" name="answers" submit={setAnswers}>
          <Field label="Answer">
            <Select name="status" options={STATUSES} initial="500" part="answer-status" />
          </Field>
          <Field label="Next deliveries">
            <Input name="times" type="number" min="1" max="1000" defaultValue="1" required part="answer-times" />
          </Field>
          <Field label="Delay, seconds" hint="The gateway waits at most 20 seconds.">
            <Input name="delaySeconds" type="number" min="0" max="25" defaultValue="0" required />
          </Field>
          <button class="act plain" data-part="answer">
            Set the answer
          </button>
        </Form>
      </Fold>
    </div>
  );
}
