// The payments, the newest first.
import { h, icon } from "./dom.js";
import { button, empty, input, select } from "./parts.js";
import { state } from "./state.js";
import { STATUS, age, money, of } from "./words.js";

export function list() {
  const rows = state.payments && [...state.payments, ...state.older];
  return h(
    "section",
    { class: "side", key: "side", "aria-label": "Payments" },
    h(
      "form",
      { class: "filter", role: "search", "data-form": "filter" },
      h(
        "label",
        { class: "seek" },
        icon("search"),
        h("span", { class: "offscreen" }, "Search payments"),
        input("search", { type: "search", placeholder: "Search", title: "Order, id, address or transaction", "data-part": "search" }),
      ),
      h(
        "label",
        { class: "narrow" },
        h("span", { class: "offscreen" }, "Status"),
        select("status", [["", "All"], ...Object.entries(STATUS).map(([value, { word }]) => [value, word])], state.status, {
          "data-part": "filter",
        }),
      ),
    ),
    rows === null ? waiting() : rows.length === 0 ? none() : h("ul", { class: "rows-list" }, rows.map(row)),
    state.moreToCome && h("p", { class: "more" }, button("older", "Show older ones")),
  );
}

function row(payment) {
  const kind = of(STATUS, payment.status);
  const chosen = payment.paymentId === state.route.id;
  const crypto = payment.depositAmount && payment.depositCurrency;
  return h(
    "li",
    { key: payment.paymentId },
    h(
      "a",
      {
        class: "row",
        href: `#/payments/${payment.paymentId}`,
        "aria-current": chosen && "true",
        "data-part": "payment",
        "data-value": payment.paymentId,
      },
      h("span", { class: `mark ${kind.tone}` }, icon(kind.icon)),
      h("span", { class: "row-name" }, payment.clientPaymentId),
      h("span", { class: "row-amount" }, payment.displayAmount ? money(payment.displayAmount, payment.displayCurrency) : "–"),
      h("span", { class: `row-state ${kind.tone}` }, kind.word),
      h(
        "span",
        { class: "row-note" },
        crypto ? `${payment.depositAmount} ${payment.depositCurrency}` : payment.type === "REUSABLE" ? "reusable" : "",
      ),
      h("span", { class: "row-age" }, age(payment.createdAt)),
    ),
  );
}

const waiting = () => h("div", { class: "bones", "aria-hidden": "true" }, h("i"), h("i"), h("i"), h("i"));

const none = () =>
  state.search || state.status
    ? empty("search", "Nothing like that", "No payment has this status and these words.", button("unfilter", "Show all"))
    : empty("list", "No payments yet", "Create one here, or buy something in the demo shop.", button("new", "New payment", { sign: "plus" }));
