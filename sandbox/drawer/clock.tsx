import { Field } from "../../www/desk/components/fields";
import { Fold, Panel } from "../../www/desk/components/panel";
import { ActButton, ActForm } from "./acts";
import { advance } from "./world";

export const Clock = () => (
  <Panel title="Clock" part="clock-panel">
    <div class="acts">
      <ActButton act={() => advance(300)} part="advance-5">
        +5 min
      </ActButton>
      <ActButton act={() => advance(3_600)} part="advance-60">
        +1 h
      </ActButton>
      <ActButton act={() => advance(86_400)} part="advance-day">
        +1 day
      </ActButton>
    </div>
    <Fold title="By minutes">
      <ActForm act={({ minutes }) => advance(Number(minutes) * 60)} button="Advance" part="advance">
        {(errorOf) => <Field label="Minutes" name="minutes" inputmode="numeric" required error={errorOf("advanceSeconds")} />}
      </ActForm>
    </Fold>
  </Panel>
);
