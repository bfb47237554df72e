// The buttons of the wallets and the line below them, in the place that the page keeps for them.

import type { Wallet } from "./announced";
import type { Name } from "./texts";

const make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

const LABEL = "wallets-label";
const label = make("p", { class: "label", id: LABEL });
const list = make("div", { class: "actions" });
const line = make("p", { role: "status", "data-part": "wallet-state", "data-value": "" });
const host = make("div", { role: "group", "aria-labelledby": LABEL }, label, list, line);

/** The page may draw its place anew. */
export const place = (offered: boolean): void => {
  const here = document.querySelector("[data-part=wallets]");
  if (!offered || !here) host.remove();
  else if (host.parentNode !== here) here.append(host);
  dim();
};

/** Who has paid is not to pay again. */
const dim = (): void => {
  for (const part of document.querySelectorAll<HTMLElement>(".pay > :is(.facts, .scan)"))
    part.inert = line.dataset["value"] === "sent";
};

let drawn: readonly Wallet[] = [];

export const drawWallets = (title: string, wallets: readonly Wallet[], press: (wallet: Wallet) => void): void => {
  label.textContent = title;
  // The page has changed to a network of other wallets.
  const isOther = drawn.some((wallet, at) => wallet !== wallets[at]);
  if (isOther) list.replaceChildren();
  const known = isOther ? 0 : drawn.length;
  drawn = wallets;
  for (const [at, wallet] of wallets.entries()) {
    if (at < known) continue;
    const name = make("bdi", {}, wallet.name);
    const icon = wallet.icon ? [make("img", { src: wallet.icon, alt: "", width: "24", height: "24" })] : [];
    const button = make(
      "button",
      { type: "button", class: "button", "data-part": "wallet", "data-value": String(at) },
      ...icon,
      name,
    );
    button.addEventListener("click", () => press(wallet));
    list.append(button);
  }
};

/** In a frame, where wallets are not reliable and another page could lie over the button. */
export const drawLink = (text: string): void => {
  label.hidden = true;
  host.setAttribute("aria-label", text);
  host.removeAttribute("aria-labelledby");
  const link = { class: "button", href: location.href, target: "_blank", rel: "noopener noreferrer" };
  list.replaceChildren(make("a", { ...link, "data-part": "wallet-tab", "data-value": "" }, text));
};

export const lock = (locked: boolean): void => {
  for (const button of list.children) {
    if (locked) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  }
};

/** Whoever overlooks these may pay twice. */
const WARNINGS: readonly Name[] = ["sent", "unclear", "unfinished"];

/** A transaction, and its page at the explorer. */
export interface Sent {
  hash: string;
  link: string | undefined;
  label: string;
}

export const say = (name: Name, text: string, sent?: Sent): void => {
  line.dataset["value"] = name;
  line.className = WARNINGS.includes(name) ? "notice" : "hint";
  const whole = make("span", {}, text);
  line.replaceChildren(whole);
  dim();
  if (!sent) return;
  const code = { class: "code", dir: "ltr", translate: "no", "data-part": "wallet-hash", "data-value": sent.hash };
  const [head, tail] = [sent.hash.slice(0, -8), sent.hash.slice(-8)];
  whole.append(" ", make("bdi", code, make("span", {}, head), tail));
  if (!sent.link) return;
  const link = { href: sent.link, target: "_blank", rel: "noopener noreferrer", "data-part": "wallet-explorer" };
  whole.append(" ", make("a", { ...link, "data-value": "" }, sent.label));
};
