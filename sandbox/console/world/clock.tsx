import { advanceClock } from "../actions/chain";
import { now } from "../api";
import { ActionButton } from "../components/button";
import { Field, Form, Input } from "../components/form";
import { Note, Panel } from "../../../www/desk/components/panel";
import { duration } from "../../../www/desk/format";
import { canExpire } from "../../../www/desk/labels";
import { state } from "../store";

export function Clock() {
  const ahead = state.overview?.clockAheadSeconds ?? 0;
  return (
    <Panel title="Clock">
      <Note>
        {ahead === 0 ? "Shows this machine's time." : `${duration(ahead)} ahead of this machine.`} It only advances, for all
        payments at once.
      </Note>
      <ClockControls />
    </Panel>
  );
}

interface ClockControlsProps {
  heading?: string;
  /** Of a payment, which can then be made to expire. */
  windowEnd?: number | null;
  status?: string;
}

/** Buttons that advance the gateway's clock. */
export function ClockControls({ heading, windowEnd = null, status = "NEW" }: ClockControlsProps) {
  const left = windowEnd === null ? 0 : windowEnd - now();
  return (
    <div class="hand">
      {heading && <h3>{heading}</h3>}
      <div class="acts">
        {left > 0 && canExpire(status) && (
          <ActionButton name="advance" action={() => advanceClock(left)} icon="forward" part="expire">
            Expire now (+{duration(left)})
          </ActionButton>
        )}
        <ActionButton name="advance" action={() => advanceClock(300)} part="advance-5">
          +5 min
        </ActionButton>
        <ActionButton name="advance" action={() => advanceClock(3_600)} part="advance-60">
          +1 h
        </ActionButton>
        <Form class="inline tight" name="advance" submit={({ minutes }) => advanceClock(Number(minutes) * 60)}>
          <Field label="Minutes">
            <Input name="minutes" type="number" min="1" max="5256000" defaultValue="30" required />
          </Field>
          <button class="act plain">Advance</button>
        </Form>
      </div>
    </div>
  );
}
