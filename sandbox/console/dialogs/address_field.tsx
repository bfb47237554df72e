import type { ComponentChildren } from "preact";
import { fillIn } from "../actions/dialog";
import { ActionButton } from "../components/button";
import { Field, Input, errorOf } from "../components/form";
import { sampleAddress, tagLabel } from "../currencies";
import type { CurrencyNetwork } from "../model";

interface AddressFieldProps {
  name: string;
  label: string;
  pair?: CurrencyNetwork;
  hint?: string;
  initial?: string;
  /** The id of a list of suggestions. */
  list?: string;
  part: string;
  children?: ComponentChildren;
}

/** An address, with a button that fills in a valid one. */
export const AddressField = ({ name, label, pair, hint, initial, list, part, children }: AddressFieldProps) => (
  <div class="full with-button">
    <Field label={label} error={errorOf(name)} hint={hint}>
      <Input name={name} required list={list} defaultValue={initial} part={part} error={errorOf(name)} />
    </Field>
    <ActionButton
      name="sample"
      action={async () => fillIn(name, sampleAddress(pair?.network ?? "") ?? "")}
      aria-label="Fill in a sample address"
      part="sample"
    >
      Sample
    </ActionButton>
    {children}
  </div>
);

/** The tag, on networks that have one. */
export function TagField({ pair, hint, part }: { pair?: CurrencyNetwork; hint: string; part: string }) {
  const label = pair && tagLabel(pair.tag);
  if (!label) return null;
  return (
    <Field label={label} error={errorOf("destinationTag")} hint={hint}>
      <Input name="destinationTag" part={part} error={errorOf("destinationTag")} />
    </Field>
  );
}
