// Forms keep their values in the controls, which are read at submission.
import type { ComponentChildren } from "preact";
import { type Action, run } from "../run";
import { state } from "../store";
import type { Values } from "../values";
import { Icon } from "../../../www/desk/components/icon";

export const valuesOf = (form: HTMLFormElement): Values => Object.fromEntries(new FormData(form)) as Values;

interface FormProps {
  /** Of the action; a second submission waits for the first. */
  name: string;
  submit: (values: Values) => ReturnType<Action>;
  onInput?: (values: Values, event: Event) => void;
  class?: string;
  children: ComponentChildren;
}

export const Form = ({ name, submit, onInput, children, ...attributes }: FormProps) => (
  <form
    {...attributes}
    onSubmit={(event) => {
      event.preventDefault();
      const values = valuesOf(event.currentTarget);
      run(name, () => submit(values));
    }}
    onInput={(event) => onInput?.(valuesOf(event.currentTarget), event)}
  >
    {children}
  </form>
);

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  error?: string;
  children: ComponentChildren;
}

/** A control with its label, and a hint or an error below it. */
export const Field = ({ label, hint, error, children }: FieldProps) => (
  <label class={error ? "field wrong" : "field"}>
    <span class="field-label">{label}</span>
    {children}
    {error ? (
      <span class="field-fault" data-part="field-fault">
        {error}
      </span>
    ) : (
      hint && <span class="field-hint">{hint}</span>
    )}
  </label>
);

interface ControlProps {
  name: string;
  required?: boolean;
  autofocus?: boolean;
  part?: string;
  /** The error of its value. */
  error?: string;
}

interface InputProps extends ControlProps {
  type?: "text" | "number" | "url" | "search";
  inputmode?: "decimal";
  min?: string;
  max?: string;
  defaultValue?: string;
  placeholder?: string;
  title?: string;
  list?: string;
}

export const Input = ({ type = "text", part, error, ...attributes }: InputProps) => (
  <input
    type={type}
    autocomplete="off"
    spellcheck={false}
    data-part={part}
    aria-invalid={error ? "true" : undefined}
    {...attributes}
  />
);

interface SelectProps extends ControlProps {
  options: [value: string, label: string][];
  /** The initial value; by default the first option. */
  initial?: string;
}

export const Select = ({ options, initial, part, error, ...attributes }: SelectProps) => (
  <span class="pick">
    <select data-part={part} aria-invalid={error ? "true" : undefined} {...attributes}>
      {options.map(([value, label]) => (
        <option key={value} value={value} selected={value === initial}>
          {label}
        </option>
      ))}
    </select>
    <Icon name="chevron-down" />
  </span>
);

export const codes = (list: string[]): [string, string][] => list.map((code) => [code, code]);

/** The gateway's error for a field of the form in the dialog. */
export const errorOf = (...names: string[]): string | undefined =>
  state.dialog?.errors.find(({ pointer }) => names.some((name) => pointer === `/${name}`))?.detail;
