// The elements inside the shadow root. Their parts and slots are described in types.ts.
import type { Words } from "./words";

const SANDBOX =
  "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox " +
  "allow-top-navigation-by-user-activation allow-top-navigation-to-custom-protocols";

export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const slot = (name: string, text: string) => make("slot", { name }, text);

const schemeOf = (theme: string | null | undefined) =>
  theme === "DARK" ? "dark" : theme === "AUTO" ? "light dark" : "light";

/** A frame of another colour scheme than its page's would have that one's background behind the round corners. */
export function frameOf(url: URL, title: string) {
  const frame = make("iframe", {
    part: "frame",
    title,
    allow: "clipboard-write",
    // The gateway tells a page that may not embed the checkout so.
    referrerpolicy: "strict-origin",
    sandbox: SANDBOX,
    src: url.href,
  });
  frame.style.colorScheme = schemeOf(url.searchParams.get("theme"));
  return frame;
}

export const notice = () => make("div", { part: "notice", role: "status" });

export const box = (...children: Node[]) => make("div", { part: "box" }, ...children);

function button(part: string, content: Node, onClick: () => void) {
  const button = make("button", { type: "button", part }, content);
  button.addEventListener("click", onClick);
  return button;
}

export const retryButton = (words: Words, onClick: () => void) => button("retry", slot("retry", words.retry), onClick);

export const remainButton = (words: Words, onClick: () => void) => button("remain", slot("remain", words.remain), onClick);

export const pageLink = (words: Words, url: URL) =>
  make("a", { href: url.href, target: "_top", part: "link" }, slot("link", words.link));

/** Asks before a dialog closes. */
export function question(words: Words, stay: () => void, leave: () => void) {
  const text = make("p", { id: "ask" }, slot("ask", words.ask));
  const buttons = [button("stay", slot("stay", words.stay), stay), button("leave", slot("leave", words.leave), leave)];
  return make("div", { part: "ask", role: "alertdialog", "aria-labelledby": "ask" }, text, ...buttons);
}

/** A dialog with a button that closes it. */
export function dialogOf(words: Words, title: string, theme: string | null | undefined, content: Node, leave: () => void) {
  const close = make("button", { type: "button", part: "close", "aria-label": words.leave }, "×");
  const dialog = make("dialog", { part: "dialog", "aria-label": title }, close, content);
  dialog.style.colorScheme = schemeOf(theme);
  close.addEventListener("click", leave);
  return dialog;
}
