import { Dialog } from "../components/dialog";
import { Copyable } from "../components/panel";

const CAUTION =
  "It is shown once. Whoever has it acts for the business: put it where your shop keeps its secrets, and send it to nobody.";

interface ShownOnceProps {
  values: Record<string, string>;
  caution?: string;
  close: () => void;
}

/** Credentials that nobody can see again. */
export const ShownOnce = ({ values, caution = CAUTION, close }: ShownOnceProps) => (
  <Dialog title="Copy it now" part="shown-once" close={close}>
    <p class="caution">{caution}</p>
    {Object.entries(values).map(([label, value]) => (
      <div key={label} class="field">
        <span class="field-label">{label}</span>
        <div class="code-box wrap" data-part="credential" data-value={label}>
          <Copyable text={value} what={label.toLowerCase()}>
            <span>{value}</span>
          </Copyable>
        </div>
      </div>
    ))}
    <div class="acts">
      <button type="button" class="act primary" onClick={close} data-part="shown-once-done">
        I have copied it
      </button>
    </div>
  </Dialog>
);
