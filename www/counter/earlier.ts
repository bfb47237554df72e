// Sales that were left before they were paid: asked for slowly, and told when they are paid after all.
import { readSale } from "./api";
import { type Open, left, paidLater } from "./running";
import { current, phaseOf } from "./selling";

/** One question each time: with the questions of a running sale it stays below the limit of a counter's requests. */
const EACH_MILLIS = 10_000;

let turn = 0;

/** All that were paid, until somebody has read it. */
export async function watch(tell: (paid: Open[]) => void): Promise<void> {
  tell(left().filter(({ paid }) => paid));
  const state = current();
  if (state.is === "withdrawn") return;
  // Which one is made here is not known yet.
  if (state.is !== "making") {
    const own = state.is === "known" ? state.sale.paymentId : undefined;
    const open = left().filter(({ id, paid }) => !paid && id !== own);
    const asked = open[turn++ % open.length];
    if (asked) await ask(asked.id);
  }
  tell(left().filter(({ paid }) => paid));
  setTimeout(watch, EACH_MILLIS, tell);
}

async function ask(id: string): Promise<void> {
  try {
    const sale = await readSale(id);
    if (phaseOf(sale) === "paid") paidLater(id, sale.displayAmount);
  } catch {
    // It is asked again.
  }
}
