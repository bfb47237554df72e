// What buttons and forms do. Each returns what it has done, in words, or nothing.
import { get, post, question, send } from "./api.js";
import { COINS } from "./codes.js";
import { sample } from "./pairs.js";
import { closed, state } from "./state.js";
import { request } from "./withdraw.js";
import { plural, short, span } from "./words.js";

const current = () => state.detail;

async function transfer({ network, currency, address, tag, amount, replaceable, from, flagged }) {
  const body = { network, currency, address, amount };
  if (tag) body.destinationTag = tag;
  if (replaceable) body.replaceable = true;
  if (from) body.fromAddress = from;
  if (flagged) await post("/sandbox/flags", { network, address: from || sample(network) });
  const { transactionId } = await post("/sandbox/transfers", body);
  return `Sent ${amount} ${currency} on ${network}: ${short(transactionId, 6)}`;
}

/** By `data-do` of a button; each gets the button's `dataset`. */
export const clicks = {
  async copy({ text }) {
    await navigator.clipboard.writeText(text);
    return "Copied";
  },

  async pay({ amount }) {
    const given = current().addresses.find((address) => address.current);
    const { network, address, destinationTag } = given;
    return transfer({ network, currency: current().quote.currency, address, tag: destinationTag, amount });
  },

  async mine({ network, count = "1" }) {
    const { height } = await post("/sandbox/blocks", { network, count: Number(count) });
    return count === "1" ? `Mined block ${height} on ${network}` : `Mined ${count} blocks on ${network}, up to ${height}`;
  },

  reorganise: ({ network }) => reorganise(network, 1),

  async drop({ transaction }) {
    await post("/sandbox/drops", { transactionId: transaction });
    return "The transfer is dropped: it never happened";
  },

  advance: ({ seconds }) => advance(Number(seconds)),

  async resend({ id }) {
    await post(`/sandbox/callbacks/${id}/resend`);
    return "The callback is sent again";
  },

  async release({ id }) {
    await post(`/sandbox/deposits/${id}/release`);
    return "Released: it is credited, and the merchant is told";
  },

  async refuse({ id }) {
    await post(`/sandbox/deposits/${id}/refuse`);
    return "Refused: it is kept apart, and nobody is told";
  },

  flag: ({ network, address }) => flag(network, address, true),

  unflag: ({ network, address }) => flag(network, address, false),

  async answers() {
    await post("/sandbox/inbox/answers", { status: 204, times: 0 });
    return "The inbox answers as usual";
  },

  async clear() {
    await send("DELETE", "/sandbox/inbox");
    return "The inbox is empty";
  },

  async reveal() {
    state.credentials = await get("/sandbox/credentials");
  },

  async older() {
    const last = [...state.payments, ...state.older].at(-1);
    const query = new URLSearchParams({ limit: 50, before: last.paymentId, status: state.status, search: state.search });
    for (const name of ["status", "search"]) if (!query.get(name)) query.delete(name);
    const more = await get(`/sandbox/payments?${query}`);
    state.older.push(...more);
    state.moreToCome = more.length === 50;
  },

  async unfilter() {
    Object.assign(state, { status: "", search: "", payments: null, older: [] });
    document.querySelector("[data-form=filter]").reset();
  },

  new: () => open("new", "order"),

  whitelist: () => open("whitelist", "address"),

  /** With what a row of the whitelist says, or empty. */
  withdraw: ({ pair, address }) => open("withdraw", "withdrawal", pair && { pair, recipientAddress: address }),

  async close() {
    state.form = closed();
  },

  async dismiss() {
    state.message = null;
  },

  async sample({ into, network }) {
    fill(into, sample(network));
  },

  async smallest({ amount }) {
    fill("unit", "CRYPTO");
    fill("targetAmount", amount);
  },

  async raw() {
    state.raw = true;
  },

  async pretty() {
    state.raw = false;
  },
};

/** By `data-form` of a form; each gets its values and its `dataset`. */
export const forms = {
  async choose({ pair }) {
    const [depositCurrency, network] = pair.split("/");
    await post(`/sandbox/payments/${state.route.id}/choice`, { depositCurrency, network });
    return `Chose ${depositCurrency} on ${network}`;
  },

  async transfer({ amount, currency, to, tag, from, replaceable, flagged }) {
    const given = JSON.parse(to);
    return transfer({ ...given, currency, amount, tag: tag || given.tag, from: from.trim(), replaceable: replaceable === "on", flagged: flagged === "on" });
  },

  flag: ({ network, address }) => flag(network, address.trim(), true),

  async terms({ followUps, ...texts }) {
    await post("/sandbox/business", { ...texts, refundFollowUpDepositsForOneTimePayments: followUps === "true" });
    return "The terms hold from now on";
  },

  reorganise: ({ depth }, { network }) => reorganise(network, Number(depth)),

  advance: ({ minutes }) => advance(Number(minutes) * 60),

  async rate({ from, to, rate }) {
    await post("/sandbox/rates", { from, to, rate });
    await forms.readRate({ from, to });
    return `One ${from} is ${rate} ${to} from now on`;
  },

  async readRate({ from, to }) {
    const rates = await get(`/api/v1/rates?${new URLSearchParams({ from: COINS.join(","), to })}`);
    state.rates = { from, to, rates };
  },

  async answers({ status, times, delaySeconds }) {
    await post("/sandbox/inbox/answers", { status: Number(status), times: Number(times), delaySeconds: Number(delaySeconds) });
    return `The inbox answers ${status} to the next ${Number(times) === 1 ? "delivery" : plural(Number(times), "delivery", "deliveries")}`;
  },

  /** Creates the payment, and chooses in the payer's place when the form says what it is paid with. */
  async new({ pair, expirationMinutes, ...texts }) {
    const body = { locale: "en-US" };
    for (const [name, text] of Object.entries(texts)) if (text !== "") body[name] = text;
    if (expirationMinutes !== "" && body.type !== "REUSABLE") body.expirationMinutes = Number(expirationMinutes);
    const { paymentInfo } = await post("/sandbox/payments", body);
    const { paymentId } = paymentInfo;
    if (pair) {
      const [depositCurrency, network] = pair.split("/");
      await post(`/sandbox/payments/${paymentId}/choice`, { depositCurrency, network });
    }
    state.form = closed();
    location.hash = `#/payments/${paymentId}`;
    return "The payment is created";
  },

  async whitelist({ pair, ...texts }) {
    const [currency, network] = pair.split("/");
    const body = { currency, network };
    for (const [name, text] of Object.entries(texts)) if (text.trim() !== "") body[name] = text.trim();
    await post("/sandbox/whitelist", body);
    state.form = closed();
    return "The address is whitelisted";
  },

  async withdraw(values) {
    const made = await post("/sandbox/withdrawals", request(values));
    state.form = closed();
    return `${made.estimatedWithdrawAmount} ${made.withdrawCurrency} go to ${short(made.recipientAddress, 6)}`;
  },
};

/** What a withdrawal would come to; faults of fields that are still empty are none yet, and an answer that comes too late is none. */
export async function preview(values) {
  const { withdrawal, errors } = await question("/sandbox/withdrawals/preview", request(values));
  if (state.form.values !== values) return;
  state.form.preview = withdrawal;
  state.form.faults = errors.filter(({ pointer, code }) => code !== "required" && (values[pointer.slice(1)] ?? "x") !== "");
}

async function open(name, prefix, start = {}) {
  state.currencies ??= await get("/api/v1/currencies");
  state.form = { ...closed(), name, start, values: { ...start }, id: `${prefix}-${Date.now().toString(36)}` };
}

/** Fills in a field of the open form, as if it was typed. */
function fill(name, text) {
  const control = document.querySelector("dialog form").elements[name];
  control.value = text;
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

async function flag(network, address, flagged) {
  await post("/sandbox/flags", { network, address, flagged });
  return flagged ? `Flagged ${short(address, 6)} on ${network}: from now on` : `${short(address, 6)} is flagged no more`;
}

async function reorganise(network, depth) {
  const { height } = await post("/sandbox/reorgs", { network, depth });
  return `${network} lost ${plural(depth, "block")}; it is at block ${height}`;
}

async function advance(seconds) {
  await post("/sandbox/clock", { advanceSeconds: Math.max(1, Math.ceil(seconds)) });
  return `The clock went forward by ${span(seconds)}`;
}
