// The sale that runs at this counter. One request is asked at a time; the answer to an earlier one is dropped, and paid is final.
import { type Sale, Refused, cancel, readSale, sell } from "./api";
import { close, follow, forget, keep, leave, type Running } from "./running";
import { play } from "./sound";

const POLL_MILLIS = 3_000;

export type Phase = "waiting" | "part" | "confirming" | "expired" | "cancelled" | "paid";

interface Made extends Running {
  /** The last question has no answer. */
  isLost?: boolean;
}

export type State =
  | { is: "typing"; says?: "closed" | "failed" }
  | ({ is: "making" } & Made)
  | ({ is: "known"; sale: Sale; isTooLate?: boolean } & Made)
  | { is: "withdrawn" };

type Asking = Extract<State, Made>;

let state: State = { is: "typing" };
let draw: (state: State) => void = () => {};
let request: AbortController | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

export const current = () => state;

export function onChange(changed: (state: State) => void): void {
  draw = changed;
}

function become(next: State): void {
  state = next;
  draw(next);
}

/** Makes a sale, or finds it again. */
export function begin({ wanted, isLeaving }: Running): void {
  keep({ wanted, isLeaving });
  become({ is: "making", wanted, isLeaving });
  void step();
}

/** Asks the gateway to cancel, until it said how the sale stands. A sale that is being made is known first. */
export function leaveSale(): void {
  if ((state.is !== "making" && state.is !== "known") || state.isLeaving) return;
  keep({ wanted: state.wanted, isLeaving: true });
  become({ ...state, isLeaving: true });
  if (state.is === "known") {
    silence();
    void step();
  }
}

export function next(says?: "closed" | "failed"): void {
  silence();
  if (state.is === "known" && phaseOf(state.sale) !== "paid") leave(state.sale.paymentId);
  forget();
  become({ is: "typing", says });
}

export function end(): void {
  silence();
  become({ is: "withdrawn" });
}

function silence(): void {
  clearTimeout(timer);
  request?.abort();
  request = undefined;
}

/** Asks once, and again later: also after the end, because money that comes late pays, too. */
export async function step(): Promise<void> {
  if (request || (state.is !== "making" && state.is !== "known") || isPaid()) return;
  clearTimeout(timer);
  const mine = (request = new AbortController());
  const answer = await question(state, mine).then(
    (sale) => ({ sale }),
    (error: unknown) => ({ error }),
  );
  if (request !== mine) return;
  request = undefined;
  const isUrgent = "sale" in answer ? answered(state as Asking, answer.sale) : failed(state as Asking, answer.error);
  if (isUrgent) void step();
  else timer = setTimeout(step, POLL_MILLIS);
}

const isPaid = () => state.is === "known" && phaseOf(state.sale) === "paid";

function question(asking: Asking, ended: AbortController): Promise<Sale> {
  if (asking.is === "making") return sell(asking.wanted, ended);
  follow(asking.sale.paymentId);
  return (asking.isLeaving ? cancel : readSale)(asking.sale.paymentId, ended);
}

/** Whether the next question is asked at once. */
function answered(asking: Asking, sale: Sale): boolean {
  const phase = phaseOf(sale);
  const isOver = phase === "expired" || phase === "cancelled";
  const isLeaving = asking.isLeaving && phase !== "paid";
  become({ ...asking, is: "known", sale, isLeaving, isLost: false });
  if (phase === "paid") {
    close(sale.paymentId);
    play();
  } else {
    follow(sale.paymentId);
    if (isLeaving && (phase === "cancelled" || (isOver && asking.is === "known"))) next();
  }
  // Also what expired: its payer could choose anew.
  return isLeaving && asking.is === "making" && phase !== "cancelled";
}

function failed(asking: Asking, error: unknown): boolean {
  const { code, status } = error instanceof Refused ? error : { code: "", status: 0 };
  if (code === "bad_token") end();
  else if (asking.is === "making" && isNoSale(status, code)) next(code === "business_disabled" ? "closed" : "failed");
  else if (asking.is === "known" && asking.isLeaving && code === "deposit_seen") {
    keep({ wanted: asking.wanted, isLeaving: false });
    become({ ...asking, isLeaving: false, isLost: false, isTooLate: true });
    return true;
  } else become({ ...asking, isLost: true });
  return false;
}

/** The gateway said that it makes none. */
const isNoSale = (status: number, code: string) =>
  status === 422 || code === "business_disabled" || code === "sale_number_taken";

export function phaseOf({ status, receivedAmount, covered, cancelledAt }: Sale): Phase {
  if (status === "DEPOSITED" || status === "OVERPAID") return "paid";
  const hasMoney = Number(receivedAmount) > 0;
  if (status === "EXPIRED") return cancelledAt && !hasMoney ? "cancelled" : "expired";
  if (covered) return "confirming";
  return status === "AWAITING" || hasMoney ? "part" : "waiting";
}
