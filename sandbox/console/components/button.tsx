import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { type Action, run } from "../run";
import { state } from "../store";
import { Icon } from "../../../www/desk/components/icon";

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
