// A form that is sent once, with the gateway's errors at its fields.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../problem";
import { words } from "../use";
import { Icon } from "./icon";

interface FormProps {
  submit: (values: Record<string, string>) => Promise<void>;
  button: string;
  icon?: string;
  /** The act cannot be taken back. */
  isGrave?: boolean;
  part: string;
  cancel?: () => void;
  /** Gets the error of a field, by its name. */
  children: (errorOf: (name: string) => string | undefined) => ComponentChildren;
}

export function Form({ submit, button, icon, isGrave, part, cancel, children }: FormProps) {
  const [failure, setFailure] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const errors = failure instanceof Problem ? failure.errors : [];
  const send = async (form: HTMLFormElement) => {
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    try {
      await submit(Object.fromEntries(new FormData(form)) as Record<string, string>);
    } catch (error) {
      setFailure(error as Error);
    } finally {
      setBusy(false);
    }
  };
  // Errors that stand at their fields are not told twice.
  const shown = new Set<string>();
  const content = children((name) => {
    shown.add(name);
    return errors.find(({ pointer }) => fieldOf(pointer) === name)?.detail;
  });
  const isAllShown = errors.length > 0 && errors.every(({ pointer }) => shown.has(fieldOf(pointer)));
  return (
    <form
      class="hand"
      data-part={part}
      onSubmit={(event) => {
        event.preventDefault();
        void send(event.currentTarget);
      }}
    >
      {content}
      {failure && (
        <p class="lost" role="alert" data-part={`${part}-failure`}>
          <Icon name="warning" />
          <span>{isAllShown ? "Nothing was changed. Correct the fields that are marked." : words(failure)}</span>
        </p>
      )}
      <div class="acts">
        <button
          type="submit"
          class={isGrave ? "act primary danger" : "act primary"}
          aria-disabled={isBusy ? "true" : undefined}
          data-part={`${part}-send`}
        >
          {icon && <Icon name={icon} />}
          <span>{button}</span>
        </button>
        {cancel && (
          <button type="button" class="act plain" onClick={cancel} data-part={`${part}-cancel`}>
            Back
          </button>
        )}
      </div>
    </form>
  );
}

/** The name of the field of an error such as `/allowedOrigins/0`. */
const fieldOf = (pointer: string): string => pointer.split("/")[1] ?? "";

/** Trimmed, without the fields that stayed empty. */
export const filled = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])));
