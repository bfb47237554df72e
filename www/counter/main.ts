// The page of a counter: keys for an amount, then the code, then the check mark when the gateway says that it is paid.
import { pressed, textOf } from "./amount";
import { type Counter, type NewSale, Refused, readCounter, secret } from "./api";
import { watch } from "./earlier";
import { keepFor, kept, newNumber } from "./running";
import { begin, current, end, leaveSale, next, onChange, step } from "./selling";
import { unlock } from "./sound";
import { draw, drawAmount, drawCounter, drawEarlier, part, said, typing, words, wrong } from "./view";

const AGAIN_MILLIS = 3_000;
const KEYS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "00", "0", ""];

const note = part<HTMLInputElement>("note");
const charge = part<HTMLButtonElement>("charge");

let units = "";

function press(key: string): void {
  unlock();
  units = pressed(units, key);
  wrong();
  drawAmount(units);
}

function prepareKeys(): void {
  for (const key of KEYS) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.part = `key-${key || "erase"}`;
    button.append(key || "⌫");
    if (!key) button.setAttribute("aria-label", said("erase"));
    button.addEventListener("click", () => press(key));
    part("keys").append(button);
  }
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (typing.hidden || target === note || target.dataset.part === "dismiss") return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^\d$/.test(event.key)) press(event.key);
    else if (event.key === "Backspace") press("");
    else if (event.key === "Enter") {
      // Not the key that has the focus.
      event.preventDefault();
      typing.requestSubmit();
    }
  });
}

function prepare(counter: Counter): void {
  keepFor(counter.counterId);
  drawCounter(counter);
  prepareKeys();
  onChange((state) => {
    draw(state);
    if (state.is !== "typing") return;
    [units, note.value] = ["", ""];
    drawAmount(units);
  });
  typing.addEventListener("submit", (event) => {
    event.preventDefault();
    if (charge.disabled || current().is !== "typing") return;
    unlock();
    const description = note.value.trim() || undefined;
    const displayAmount = textOf(units, counter.decimals);
    const wanted = { saleNumber: newNumber(), displayAmount, description, locale: words.locale as NewSale["locale"] };
    begin({ wanted, isLeaving: false });
  });
  part("next").addEventListener("click", () => next());
  part("cancel").addEventListener("click", leaveSale);
  document.addEventListener("pointerdown", unlock);
  document.addEventListener("visibilitychange", () => void (document.hidden || step()));
  addEventListener("online", () => void step());
}

async function open(): Promise<void> {
  let counter;
  try {
    counter = await readCounter();
  } catch (error) {
    if (error instanceof Refused) return refused();
    wrong(said("offline"));
    setTimeout(open, AGAIN_MILLIS);
    return;
  }
  prepare(counter);
  const running = kept();
  if (running) begin(running);
  else next();
  void watch(drawEarlier);
}

function refused(): void {
  onChange(draw);
  end();
}

addEventListener("hashchange", () => location.reload());
if (secret) void open();
else refused();
