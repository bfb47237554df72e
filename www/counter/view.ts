// What the page shows.
import { money, textOf, unitsOf } from "./amount";
import type { Counter, Sale } from "./api";
import { type Open, close } from "./running";
import { type State, phaseOf } from "./selling";

export const words: Record<string, string> = JSON.parse(document.getElementById("words")!.textContent!);
export const part = <Kind extends HTMLElement>(name: string) => document.querySelector<Kind>(`[data-part="${name}"]`)!;
export const typing = document.getElementById("typing") as HTMLFormElement;
const running = document.getElementById("sale")!;
const charge = part<HTMLButtonElement>("charge");

let counter: Counter;

export const said = (word: string, values: Record<string, string> = {}) =>
  words[word]!.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
const shown = (amount: string) => money(amount, counter.displayCurrency, counter.decimals, words.locale!);

export function show(element: HTMLElement, text: string | undefined): void {
  element.hidden = !text;
  if (element.textContent !== (text ?? "")) element.replaceChildren(text ?? "");
}

export function wrong(text?: string): void {
  document.getElementById("counter")!.hidden = false;
  show(part("wrong"), text);
}

export function drawCounter(read: Counter): void {
  counter = read;
  show(part("shop"), counter.businessName);
  show(part("name"), counter.title);
  show(document.querySelector<HTMLElement>("label")!, said("note"));
}

export function drawAmount(units: string): void {
  const text = textOf(units, counter.decimals);
  const isOver = unitsOf(text, counter.decimals) > unitsOf(counter.maxAmount, counter.decimals);
  show(part("amount"), shown(text));
  show(part("hint"), said(isOver ? "over" : "max", { max: shown(counter.maxAmount) }));
  part("hint").classList.toggle("over", isOver);
  show(charge, said("charge", { amount: shown(text) }));
  charge.disabled = units === "" || isOver;
}

export function draw(state: State): void {
  typing.hidden = state.is !== "typing";
  running.hidden = state.is !== "making" && state.is !== "known";
  if (state.is === "typing") return wrong(state.says && said(state.says));
  if (state.is === "withdrawn") return wrong(said("withdrawn"));
  const sale = state.is === "known" ? state.sale : undefined;
  const phase = sale && !state.isLeaving ? phaseOf(sale) : "making";
  const amount = shown(sale?.displayAmount ?? String(state.wanted.displayAmount));
  const received = shown(sale?.receivedAmount ?? "0");
  const hasMoney = Number(sale?.receivedAmount ?? 0) > 0;
  show(part("asked"), amount);
  show(part("for"), state.wanted.description ?? undefined);
  const word = phase !== "expired" ? phase : hasMoney ? "expired_part" : sale?.held ? "held" : phase;
  show(part("state"), said(word, { amount, received }));
  show(part("held"), sale?.held && word !== "held" && phase !== "paid" ? said("held") : undefined);
  part("state").className = `state ${phase}`;
  drawCode(phase === "waiting" || phase === "part" ? sale : undefined);
  const isOver = phase === "expired" || phase === "cancelled" || phase === "paid";
  show(part("next"), isOver || phase === "part" || phase === "confirming" ? said("next") : undefined);
  // Not the thing to press while something is missing.
  part("next").className = isOver ? "main" : "plain";
  show(part("cancel"), phase === "waiting" || (phase === "making" && !state.isLeaving) ? said("cancel") : undefined);
  part("check").hidden = phase !== "paid";
  const isTooLate = state.is === "known" && state.isTooLate && !isOver;
  wrong(state.isLost ? said("offline") : isTooLate ? said("not_cancelled") : undefined);
}

function drawCode(sale?: Sale): void {
  const { paymentUrl, qrCode, expiresAt } = sale ?? {};
  part("code").hidden = !qrCode;
  show(part("here"), paymentUrl && said("here"));
  if (!qrCode || !paymentUrl) return;
  const image = part("code").querySelector("img")!;
  const address = `data:image/svg+xml,${encodeURIComponent(qrCode)}`;
  if (image.src !== address) image.src = address;
  image.alt = said("scan");
  show(part("code").querySelector<HTMLElement>(".scan")!, said("scan"));
  const time = expiresAt && new Date(expiresAt * 1_000).toLocaleTimeString(words.locale, { hour: "2-digit", minute: "2-digit" });
  show(part("until"), time ? said("until", { time }) : undefined);
  part<HTMLAnchorElement>("here").href = paymentUrl;
}

/** A line for each sale that was paid after it was left, until it is dismissed. */
export function drawEarlier(paid: Open[]): void {
  const lines = part("earlier");
  const names = paid.map(({ id }) => id).join();
  if (lines.dataset.value === names) return;
  lines.dataset.value = names;
  lines.replaceChildren(...paid.map(line));
}

function line({ id, paid }: Open): HTMLElement {
  const [element, button] = [document.createElement("p"), document.createElement("button")];
  button.type = "button";
  button.className = "plain";
  button.dataset.part = "dismiss";
  button.append(said("dismiss"));
  button.addEventListener("click", () => {
    close(id);
    element.remove();
  });
  element.append(said("paid_later", { amount: shown(paid!) }), button);
  return element;
}
