// One payment: where it stands, what can be done to it, and all that belongs to it.
import { now } from "./api.js";
import { h, icon } from "./dom.js";
import { badge, button, card, chain, coin, copy, empty, fact } from "./parts.js";
import { callbacks, deposits, ledger } from "./belongings.js";
import { choose, play } from "./play.js";
import { state } from "./state.js";
import { timeline } from "./timeline.js";
import { STATUS, moment, money, of, span } from "./words.js";

export function detail() {
  const { id } = state.route;
  const body = id ? content() : h("div", { class: "panel hollow" }, empty("list", "Choose a payment", "What belongs to it stands here, live."));
  return h("section", { class: "stage", key: `stage-${id}`, "aria-label": "Payment" }, body);
}

function content() {
  if (state.detailMissing) {
    return h("div", { class: "panel hollow" }, back(), empty("search", "There is no such payment", "It may belong to another database."));
  }
  if (!state.detail) return h("div", { class: "panel" }, h("div", { class: "bones", "aria-hidden": "true" }, h("i"), h("i"), h("i")));
  const view = state.detail;
  return [
    back(),
    head(view),
    h(
      "div",
      { class: "columns" },
      h("div", { class: "column" }, view.quote ? play(view) : choose(view), deposits(view), callbacks(view), ledger(view)),
      h("div", { class: "column" }, timeline(view), addresses(view), facts(view)),
    ),
  ];
}

const back = () => h("a", { class: "back-link", href: "#/payments" }, icon("arrow-left"), "All payments");

function head({ payment, quote, paymentUrl, windowEnd }) {
  const kind = of(STATUS, payment.status);
  const shown = payment.expectedDisplayAmount;
  const left = windowEnd === null ? null : windowEnd - now();
  const open = left > 0 && ["NEW", "PENDING", "AWAITING"].includes(payment.status);
  const deadline = windowEnd === null ? "never expires" : open ? `${span(left)} left` : left > 0 ? "" : `window ended ${moment(windowEnd)}`;
  return h(
    "header",
    { class: "panel head" },
    h(
      "div",
      { class: "head-line" },
      h("h2", { tabindex: "-1", "data-part": "title" }, payment.clientPaymentId),
      badge(kind, "status", payment.status),
    ),
    h(
      "div",
      { class: "head-line" },
      h("p", { class: "price" }, shown ? money(shown, payment.displayCurrency) : "No price"),
      deadline && h("p", { class: "deadline", "data-part": "deadline" }, icon("clock"), deadline),
    ),
    h("p", { class: "says" }, kind.says),
    quote && progress(quote),
    h(
      "div",
      { class: "acts" },
      h("a", { class: "act primary", href: paymentUrl, target: "_blank", rel: "noopener", "data-part": "checkout-link" }, icon("external"), "Open the checkout"),
      button("copy", "Copy its link", { sign: "copy", "data-text": paymentUrl }),
    ),
  );
}

/** How much of the amount is there, as a bar and in words. */
function progress({ currency, network, expected, confirmed, unconfirmed, remaining }) {
  const share = (part) => Math.min(100, (Number(part) / Number(expected)) * 100);
  const bar = (kind, part) => share(part) > 0 && h("i", { class: kind, "data-share": Math.max(2, Math.round(share(part))) });
  return h(
    "div",
    { class: "progress" },
    h("div", { class: "bar", "aria-hidden": "true" }, bar("sure", confirmed), bar("seen", unconfirmed)),
    h(
      "dl",
      { class: "sums" },
      [
        ["Expected", expected, "expected"],
        ["Confirmed", confirmed, "confirmed"],
        ["Unconfirmed", unconfirmed, "unconfirmed"],
        ["Remaining", remaining, "remaining"],
      ].map(([label, amount, part]) =>
        h("div", null, h("dt", null, label), h("dd", { "data-part": part, "data-value": amount }, amount, " ", h("small", null, currency))),
      ),
    ),
    h("p", { class: "pair-note" }, coin(currency), chain(network), h("span", null, `${currency} on the network ${network}`)),
  );
}

const addresses = ({ addresses: given }) =>
  card(
    "Addresses",
    { class: "panel" },
    given.length === 0
      ? h("p", { class: "quiet-note" }, "The first one is given out when the payer chooses.")
      : h(
          "ul",
          { class: "cells" },
          given.map(({ network, address, destinationTag, createdAt, current }) =>
            h(
              "li",
              { class: "cell", key: network },
              h(
                "div",
                { class: "cell-line" },
                h("span", { class: "with-coin" }, chain(network), h("strong", null, network)),
                h("span", { class: current ? "pill good" : "pill" }, current ? "current" : "earlier, watched"),
              ),
              h("p", { class: "long" }, h("span", { class: "mono", "data-part": current && "address", "data-value": address }, address), copy(address, `the address on ${network}`)),
              destinationTag &&
                h("p", { class: "long" }, h("span", null, "Tag ", h("strong", { class: "mono" }, destinationTag)), copy(destinationTag, "the tag")),
              h("p", { class: "quiet-note" }, `since ${moment(createdAt)}`),
            ),
          ),
        ),
  );

const facts = ({ payment, quote, businessName, windowEnd }) =>
  card(
    "Facts",
    { class: "panel" },
    h(
      "dl",
      { class: "lines" },
      fact("Payment id", payment.paymentId, { text: payment.paymentId, mono: true, part: "payment-id" }),
      fact("Order id", payment.clientPaymentId, { text: payment.clientPaymentId }),
      fact("Business", businessName),
      fact("Kind", payment.type === "REUSABLE" ? "reusable" : "one-time"),
      fact("Rate type", payment.rateType.toLowerCase()),
      quote && fact("Rate", `${quote.rate} ${payment.displayCurrency} per ${quote.currency}`),
      quote && fact("Rate holds", quote.rateHolds ? "yes" : "no: deposits are valued when they arrive"),
      fact("Created", moment(payment.paymentInitiatedAt)),
      fact("Window ends", windowEnd === null ? "never" : moment(windowEnd)),
      fact("Overpayment", payment.overpaymentPolicy === "EXCESS_REFUND" ? "the excess is refunded" : "is processed"),
      fact("Follow-up deposits", payment.refundFollowUpDepositsForOneTimePayments ? "are refunded" : "are processed"),
      fact("Locale", payment.locale),
      payment.redirectUrl && fact("Returns to", payment.redirectUrl, { text: payment.redirectUrl }),
    ),
  );
