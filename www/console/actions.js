// What buttons and forms do. Each returns what it has done, in words, or nothing.
import { get, post, send } from "./api.js";
import { state } from "./state.js";
import { plural, short, span } from "./words.js";

const current = () => state.detail;

async function transfer({ network, currency, address, tag, amount, replaceable }) {
  const body = { network, currency, address, amount };
  if (tag) body.destinationTag = tag;
  if (replaceable) body.replaceable = true;
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

  async mine({ network }) {
    const { height } = await post("/sandbox/blocks", { network, count: 1 });
    return `Mined block ${height} on ${network}`;
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

  async new() {
    state.form = { open: true, faults: [], order: `order-${Date.now().toString(36)}` };
  },

  async close() {
    state.form.open = false;
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

  async transfer({ amount, currency, to, tag, replaceable }) {
    const given = JSON.parse(to);
    return transfer({ ...given, currency, amount, tag: tag || given.tag, replaceable: replaceable === "on" });
  },

  reorganise: ({ depth }, { network }) => reorganise(network, Number(depth)),

  advance: ({ minutes }) => advance(Number(minutes) * 60),

  async rate({ from, to, rate }) {
    await post("/sandbox/rates", { from, to, rate });
    await forms.readRate({ from, to });
    return `One ${from} is ${rate} ${to} from now on`;
  },

  async readRate({ from, to }) {
    [state.rates] = await get(`/api/v1/rates?${new URLSearchParams({ from, to })}`);
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
    state.form.open = false;
    location.hash = `#/payments/${paymentId}`;
    return "The payment is created";
  },
};

async function reorganise(network, depth) {
  const { height } = await post("/sandbox/reorgs", { network, depth });
  return `${network} lost ${plural(depth, "block")}; it is at block ${height}`;
}

async function advance(seconds) {
  await post("/sandbox/clock", { advanceSeconds: Math.max(1, Math.ceil(seconds)) });
  return `The clock went forward by ${span(seconds)}`;
}
