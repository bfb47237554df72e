// The page of a counter: keys for an amount, then the code, then the check mark when the gateway says that it is paid.
import { money, pressed, textOf, unitsOf } from "./amount";
import { type Counter, type NewSale, type Sale, Refused, cancel, isPassing, readCounter, readSale, secret, sell } from "./api";
import { forget, keep, kept, newNumber } from "./running";
import { play, unlock } from "./sound";

const POLL_MILLIS = 3_000;
const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "00", "0", ""];

const words: Record<string, string> = JSON.parse(document.getElementById("words")!.textContent!);
const part = <Kind extends HTMLElement>(name: string) => document.querySelector<Kind>(`[data-part="${name}"]`)!;
const typing = document.getElementById("typing") as HTMLFormElement;
const running = document.getElementById("sale")!;
const note = part<HTMLInputElement>("note");
const charge = part<HTMLButtonElement>("charge");

let counter: Counter;
let units = "";
let asked: NewSale | undefined;
let sale: Sale | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let isPaid = false;

const said = (word: string, values: Record<string, string> = {}) =>
  words[word]!.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
const shown = (amount: string) => money(amount, counter.displayCurrency, counter.decimals, words.locale!);
const max = () => shown(counter.maxAmount);

function show(element: HTMLElement, text: string | undefined): void {
  element.hidden = !text;
  if (element.textContent !== (text ?? "")) element.replaceChildren(text ?? "");
}

function wrong(text?: string): void {
  show(part("wrong"), text);
}

function drawAmount(): void {
  const text = textOf(units, counter.decimals);
  const isOver = unitsOf(text, counter.decimals) > unitsOf(counter.maxAmount, counter.decimals);
  show(part("amount"), shown(text));
  show(part("hint"), said(isOver ? "over" : "max", { max: max() }));
  part("hint").classList.toggle("over", isOver);
  show(charge, said("charge", { amount: shown(text) }));
  charge.disabled = units === "" || isOver;
}

function press(key: string): void {
  unlock();
  units = pressed(units, key);
  wrong();
  drawAmount();
}

function type(): void {
  clearTimeout(timer);
  forget();
  [units, asked, sale, isPaid] = ["", undefined, undefined, false];
  note.value = "";
  wrong();
  [typing.hidden, running.hidden] = [false, true];
  drawAmount();
}

/** Begins a sale, or finds it again. */
async function begin(wanted: NewSale): Promise<void> {
  asked = wanted;
  keep(counter.counterId, wanted);
  wrong();
  [typing.hidden, running.hidden] = [true, false];
  draw();
  await follow();
}

/** Asks until the sale is over, and longer: money that comes late pays, too. */
async function follow(): Promise<void> {
  clearTimeout(timer);
  const wanted = asked;
  if (!wanted) return;
  try {
    const found = await (sale ? readSale(sale.paymentId) : sell(wanted));
    if (asked !== wanted) return;
    sale = found;
    wrong();
    draw();
  } catch (error) {
    if (asked !== wanted) return;
    if (!isPassing(error)) return refused(error as Refused);
    wrong(said("offline"));
  }
  if (!isPaid) timer = setTimeout(follow, POLL_MILLIS);
}

function refused({ status }: Refused): void {
  if (status === 401) return end();
  type();
  wrong(said(status === 403 ? "closed" : "failed"));
}

/** The link is worth nothing. */
function end(): void {
  clearTimeout(timer);
  asked = undefined;
  document.getElementById("counter")!.hidden = false;
  [typing.hidden, running.hidden] = [true, true];
  wrong(said("withdrawn"));
}

type State = "making" | "waiting" | "part" | "confirming" | "expired" | "paid";

function stateOf({ status, receivedAmount, covered }: Sale): State {
  if (status === "DEPOSITED" || status === "OVERPAID") return "paid";
  if (status === "EXPIRED") return "expired";
  if (covered) return "confirming";
  return status === "AWAITING" || Number(receivedAmount) > 0 ? "part" : "waiting";
}

function draw(): void {
  const state = sale ? stateOf(sale) : "making";
  const amount = shown(sale?.displayAmount ?? String(asked!.displayAmount));
  const received = shown(sale?.receivedAmount ?? "0");
  const hasMoney = Number(sale?.receivedAmount ?? 0) > 0;
  const word = state === "expired" && hasMoney ? "expired_part" : state;
  show(part("asked"), amount);
  show(part("for"), asked!.description ?? undefined);
  show(part("state"), said(word, { amount, received }));
  part("state").className = `state ${state}`;
  const isOpen = state === "waiting" || state === "part";
  part("code").hidden = !isOpen;
  show(part("here"), isOpen ? said("here") : undefined);
  if (sale && isOpen) drawCode(sale);
  const isOver = state === "expired" || state === "paid";
  show(part("next"), isOver || state === "part" || state === "confirming" ? said("next") : undefined);
  // Not the thing to press while something is missing.
  part("next").className = isOver ? "main" : "plain";
  show(part("cancel"), state === "making" || state === "waiting" ? said("cancel") : undefined);
  part("check").hidden = state !== "paid";
  if (state === "paid" && !isPaid) play();
  isPaid = state === "paid";
}

function drawCode({ qrCode, paymentUrl, expiresAt }: Sale): void {
  const image = part("code").querySelector("img")!;
  const address = `data:image/svg+xml,${encodeURIComponent(qrCode)}`;
  if (image.src !== address) image.src = address;
  image.alt = said("scan");
  show(part("code").querySelector<HTMLElement>(".scan")!, said("scan"));
  const time = expiresAt && new Date(expiresAt * 1_000).toLocaleTimeString(words.locale, { hour: "2-digit", minute: "2-digit" });
  show(part("until"), time ? said("until", { time }) : undefined);
  part<HTMLAnchorElement>("here").href = paymentUrl;
}

async function stop(): Promise<void> {
  const ended = asked;
  if (!sale) return type();
  try {
    await cancel(sale.paymentId);
    if (asked === ended) type();
  } catch (error) {
    if (asked !== ended) return;
    if (error instanceof Refused && error.status === 401) return end();
    const isSeen = error instanceof Refused && error.status === 409;
    await follow();
    wrong(said(isSeen ? "not_cancelled" : "offline"));
  }
}

function prepare(): void {
  show(part("shop"), counter.businessName);
  show(part("name"), counter.title);
  show(document.querySelector<HTMLElement>("label")!, said("note"));
  for (const key of KEYS) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.part = `key-${key || "erase"}`;
    button.append(key || "⌫");
    if (!key) button.setAttribute("aria-label", said("erase"));
    button.addEventListener("click", () => press(key));
    part("keys").append(button);
  }
  typing.addEventListener("submit", (event) => {
    event.preventDefault();
    if (charge.disabled || asked) return;
    unlock();
    const description = note.value.trim() || undefined;
    const displayAmount = textOf(units, counter.decimals);
    void begin({ saleNumber: newNumber(), displayAmount, description, locale: words.locale as NewSale["locale"] });
  });
  part("next").addEventListener("click", type);
  part("cancel").addEventListener("click", () => void stop());
  document.addEventListener("keydown", (event) => {
    if (typing.hidden || event.target === note || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^\d$/.test(event.key)) press(event.key);
    else if (event.key === "Backspace") press("");
    else if (event.key === "Enter" && event.target === document.body) typing.requestSubmit();
  });
  document.addEventListener("pointerdown", unlock);
  const again = () => void (document.hidden || isPaid || follow());
  document.addEventListener("visibilitychange", again);
  addEventListener("online", again);
}

async function open(): Promise<void> {
  try {
    counter = await readCounter();
  } catch (error) {
    document.getElementById("counter")!.hidden = false;
    if (error instanceof Refused && !isPassing(error)) return end();
    wrong(said("offline"));
    timer = setTimeout(open, POLL_MILLIS);
    return;
  }
  document.getElementById("counter")!.hidden = false;
  prepare();
  const found = kept(counter.counterId);
  if (found) await begin(found);
  else type();
}

addEventListener("hashchange", () => location.reload());
if (secret) void open();
else end();
