// All that the page knows. Views read it; the loop and the actions change it.

export const state = {
  /** `{view, id}`, from the address. */
  route: { view: "payments", id: null },
  /** `null` until the first answer. */
  connected: null,
  answeredAt: 0,
  overview: null,
  /** Lists start `null` while they are asked for. */
  payments: null,
  older: [],
  moreToCome: false,
  status: "",
  search: "",
  detail: null,
  detailMissing: false,
  inbox: null,
  credentials: null,
  /** `{from, to, rate}` of every coin in one currency. */
  rates: null,
  /** Currencies with their networks; asked for once. */
  currencies: null,
  raw: false,
  /** What is going on: names of actions. */
  busy: new Set(),
  /** `{text, bad, curl}`, the last thing that was done. */
  message: null,
  form: closed(),
};

/**
 * The form in the dialog: which one; what is wrong in it; what is in it, and what it started with; the id that it offers; what
 * its request would come to.
 */
export function closed() {
  return { name: null, faults: [], values: {}, start: {}, id: "", preview: null };
}

/** `#/payments/…`, `#/inbox/…`, `#/money`, `#/world`. */
export function routeOf(hash) {
  const [view, id] = hash.replace(/^#\/?/, "").split("/");
  const known = ["payments", "inbox", "money", "world"].includes(view);
  return { view: known ? view : "payments", id: known && id ? id : null };
}
