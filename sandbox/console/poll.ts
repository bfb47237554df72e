// Polls the data of the current view.
import { loadRates } from "./actions/world";
import { NoAnswer, Problem, get, now } from "./api";
import { coinCodes, loadCurrencies } from "./currencies";
import { say } from "./message";
import type { Delivery, Overview, PaymentDetail, PaymentSummary } from "./model";
import { state, update } from "./store";

/** Milliseconds between two rounds: for a visible page, a hidden page, and an unreachable gateway. */
const INTERVAL = { visible: 1_000, hidden: 5_000, offline: 2_000 };

const PAGE_SIZE = 50;

let timer: ReturnType<typeof setTimeout>;
let running: Promise<void> | null = null;

/** Loads now, or joins the running round, and always schedules the next one. */
export function poll(): Promise<void> {
  clearTimeout(timer);
  running ??= load()
    .then(
      () => update({ connected: true, answeredAt: now() }),
      (error: Error) => {
        const offline = error instanceof NoAnswer;
        update({ connected: !offline });
        if (!offline) say(error.message, { failed: true });
      },
    )
    .finally(() => {
      running = null;
      clearTimeout(timer);
      timer = setTimeout(poll, INTERVAL[!state.connected ? "offline" : document.hidden ? "hidden" : "visible"]);
    });
  return running;
}

/** Loads after a change: a running round may have read the state before it. */
export async function refresh(): Promise<void> {
  await running;
  await poll();
}

async function load(): Promise<void> {
  const { view, id } = state.route;
  const parts: Promise<unknown>[] = [get<Overview>("/sandbox/overview").then((overview) => Object.assign(state, { overview }))];
  if (!state.currencies) parts.push(loadCurrencies());
  if (view === "payments") parts.push(loadPayments());
  if (view === "payments" && id) parts.push(loadDetail(id));
  if (view === "inbox") parts.push(get<Delivery[]>("/sandbox/inbox?limit=100").then((inbox) => Object.assign(state, { inbox })));
  await Promise.all(parts);
  const [coin] = coinCodes();
  const fiat = state.overview?.business?.settlementFiatCurrency;
  if (view === "world" && !state.rates && coin && fiat) await loadRates(coin, fiat);
}

/** The list's URL with its filter. */
export function listPath(before?: string): string {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
  if (before) query.set("before", before);
  if (state.status) query.set("status", state.status);
  if (state.search) query.set("search", state.search);
  return `/sandbox/payments?${query}`;
}

export const isFullPage = (rows: PaymentSummary[]): boolean => rows.length === PAGE_SIZE;

async function loadPayments(): Promise<void> {
  const path = listPath();
  const payments = await get<PaymentSummary[]>(path);
  if (path !== listPath()) return; // the filter changed meanwhile
  if (state.olderPayments.length === 0) state.hasOlderPayments = isFullPage(payments);
  const known = new Set(payments.map(({ paymentId }) => paymentId));
  state.olderPayments = state.olderPayments.filter(({ paymentId }) => !known.has(paymentId));
  state.payments = payments;
}

async function loadDetail(id: string): Promise<void> {
  let detail: PaymentDetail | null = null;
  try {
    detail = await get<PaymentDetail>(`/sandbox/payments/${id}`);
  } catch (error) {
    if (!(error instanceof Problem && error.status === 404)) throw error;
  }
  if (state.route.id === id) Object.assign(state, { detail, detailMissing: detail === null });
}
