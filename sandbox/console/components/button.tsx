import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { type Action, run } from "../run";
import { state } from "../store";
import { Icon } from "./icon";

interface ActionButtonProps extends Omit<ButtonHTMLAttributes, "action" | "icon"> {
  /** Its action; the button is inactive while an action of this name is running. */
  name: string;
  action: Action;
  icon?: string;
  tone?: string;
  inactive?: boolean;
  part?: string;
  children: ComponentChildren;
}

/** Inactive buttons keep the focus, so they are marked instead of disabled. */
export function ActionButton({ name, action, icon, tone = "plain", inactive, part, children, ...attributes }: ActionButtonProps) {
  const isInactive = inactive || state.busy.has(name);
  return (
    <button
      type="button"
      class={`act ${tone}`}
      aria-disabled={isInactive ? "true" : undefined}
      data-part={part}
      onClick={() => !isInactive && run(name, action)}
      {...attributes}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}

export async function copyText(text: string): Promise<string> {
  await navigator.clipboard.writeText(text);
  return "Copied";
}

/** A small button that copies `text`; `what` names it, such as "the address". */
export const CopyButton = ({ text, what }: { text: string; what: string }) => (
  <button
    type="button"
    class="mini"
    aria-label={`Copy ${what}`}
    title={`Copy ${what}`}
    onClick={() => run("copy", () => copyText(text))}
  >
    <Icon name="copy" />
  </button>
);
