// Acts on the simulated world, as buttons and as forms.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { tell, tellFailure } from "../../www/desk/announce";
import { Form } from "../../www/desk/components/form";
import { Icon } from "../../www/desk/components/icon";
import { reloadAll, words } from "../../www/desk/use";

/** Does something, and says what. */
export type Act = () => Promise<string>;

/** Milliseconds until what follows in the background, such as a callback, is there. */
const LATER = 1_000;

let changed = (): void => {};

export function afterEach(then: () => void): void {
  changed = then;
}

let last: Promise<void> = Promise.resolve();

/** Acts happen in the order of the presses: a block that is mined right after a payment has that payment in it. */
function inTurn(act: Act): Promise<void> {
  const done = last.then(act).then(tell);
  last = done.catch(() => {});
  return done.finally(() => {
    show();
    setTimeout(show, LATER);
  });
}

function show(): void {
  reloadAll();
  changed();
}

interface ActButtonProps {
  act: Act;
  icon?: string;
  tone?: string;
  part: string;
  value?: string;
  /** For screen readers, if the text alone says too little. */
  label?: string;
  children: ComponentChildren;
}

export function ActButton({ act, icon, tone = "plain", part, value, label, children }: ActButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const press = () => {
    if (isBusy) return;
    setBusy(true);
    inTurn(act)
      .catch((error: Error) => tellFailure(words(error)))
      .finally(() => setBusy(false));
  };
  return (
    <button
      type="button"
      class={`act ${tone}`}
      aria-disabled={isBusy ? "true" : undefined}
      aria-label={label}
      data-part={part}
      data-value={value}
      onClick={press}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

interface ActFormProps {
  act: (values: Record<string, string>) => Promise<string>;
  button: string;
  part: string;
  children: (errorOf: (name: string) => string | undefined) => ComponentChildren;
}

export const ActForm = ({ act, button, part, children }: ActFormProps) => (
  <Form submit={(values) => inTurn(() => act(filled(values)))} button={button} part={part}>
    {children}
  </Form>
);

/** The fields that are filled in. */
const filled = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : [])));
