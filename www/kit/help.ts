// The merchant's help where no payment is shown: the module learns of it with a payment.
import { CONTACT } from "kit-facts";
import type { Settings } from "./settings";

/** The style hides it beside the module's own. */
export function helpOf({ merchantName, supportUrl = "" }: Settings, texts: readonly string[]): Element | undefined {
  const href = supportUrl.replace("{reference}", "");
  const textContent = texts[CONTACT]!.replace("{merchant}", () => merchantName);
  const help = Object.assign(document.createElement("a"), { href, textContent, className: "explorer", target: "_blank" });
  return /^(https|mailto):/i.test(href) ? help : undefined;
}
