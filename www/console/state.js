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
  rates: null,
  raw: false,
  /** What is going on: names of actions. */
  busy: new Set(),
  /** `{text, bad}`, the last thing that was done. */
  message: null,
  /** The form of a new payment: `{open, faults}`. */
  form: { open: false, faults: [] },
};

/** `#/payments/…`, `#/inbox/…`, `#/money`, `#/world`. */
export function routeOf(hash) {
  const [view, id] = hash.replace(/^#\/?/, "").split("/");
  const known = ["payments", "inbox", "money", "world"].includes(view);
  return { view: known ? view : "payments", id: known && id ? id : null };
}
