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
  part: string;
  /** Names of the fields, whose errors are shown beside them. */
  children: (errorOf: (name: string) => string | undefined) => ComponentChildren;
}

export function Form({ submit, button, icon, part, children }: FormProps) {
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
  return (
    <form
      class="hand"
      data-part={part}
      onSubmit={(event) => {
        event.preventDefault();
        void send(event.currentTarget);
      }}
    >
      {children((name) => errors.find(({ pointer }) => pointer === `/${name}`)?.detail)}
      {failure && (
        <p class="lost" role="alert" data-part={`${part}-failure`}>
          <Icon name="warning" />
          <span>{words(failure)}</span>
        </p>
      )}
      <div class="acts">
        <button type="submit" class="act primary" aria-disabled={isBusy ? "true" : undefined} data-part={`${part}-send`}>
          {icon && <Icon name={icon} />}
          <span>{button}</span>
        </button>
      </div>
    </form>
  );
}

interface FieldProps {
  label: string;
  name: string;
  error?: string;
  hint?: string;
  type?: "text" | "password";
  autocomplete?: string;
  inputmode?: "numeric" | "decimal";
  required?: boolean;
  initial?: string;
}

export function Field({ label, error, hint, initial, type = "text", autocomplete = "off", ...attributes }: FieldProps) {
  const control = {
    ...attributes,
    autocomplete,
    spellcheck: false,
    defaultValue: initial,
    "aria-invalid": error ? ("true" as const) : undefined,
    "data-part": `field-${attributes.name}`,
  };
  return (
    <label class={error ? "field wrong" : "field"}>
      <span class="field-label">{label}</span>
      {type === "password" ? <input type="password" {...control} /> : <input type="text" {...control} />}
      {error ? <span class="field-fault">{error}</span> : hint && <span class="field-hint">{hint}</span>}
    </label>
  );
}
