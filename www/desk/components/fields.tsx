// Controls with their labels, and a hint or an error below.
import type { ComponentChildren } from "preact";
import { Icon } from "./icon";

interface BoxProps {
  label: string;
  error?: string;
  hint?: string;
  children: ComponentChildren;
}

const Box = ({ label, error, hint, children }: BoxProps) => (
  <label class={error ? "field wrong" : "field"}>
    <span class="field-label">{label}</span>
    {children}
    {error ? (
      <span class="field-fault">
        {label} {error}
      </span>
    ) : (
      hint && <span class="field-hint">{hint}</span>
    )}
  </label>
);

interface FieldProps {
  label: string;
  name: string;
  error?: string;
  hint?: string;
  type?: "text" | "password";
  autocomplete?: string;
  inputmode?: "numeric" | "decimal" | "url";
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
    <Box label={label} error={error} hint={hint}>
      {type === "password" ? <input type="password" {...control} /> : <input type="text" {...control} />}
    </Box>
  );
}

interface ChoiceProps {
  label: string;
  name: string;
  options: [value: string, label: string][];
  initial?: string;
  error?: string;
  hint?: string;
}

export const Choice = ({ label, name, options, initial, error, hint }: ChoiceProps) => (
  <Box label={label} error={error} hint={hint}>
    <span class="pick">
      <select name={name} data-part={`field-${name}`} aria-invalid={error ? "true" : undefined}>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === initial}>
            {text}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" />
    </span>
  </Box>
);

interface FilterProps {
  label: string;
  value: string;
  options: [value: string, label: string][];
  choose: (value: string) => void;
}

/** What a list shows. */
export const Filter = ({ label, value, options, choose }: FilterProps) => (
  <span class="pick">
    <select aria-label={label} value={value} data-part="filter" onChange={(event) => choose(event.currentTarget.value)}>
      {options.map(([code, text]) => (
        <option key={code} value={code}>
          {text}
        </option>
      ))}
    </select>
    <Icon name="chevron-down" />
  </span>
);
