// What hangs on a payment: deposits, callbacks with their tries, entries of the ledger.
import { now } from "./api.js";
import { h, icon } from "./dom.js";
import { decision, isFlagged } from "./held.js";
import { badge, button, card, copy, summary } from "./parts.js";
import { waiting } from "./waits.js";
import { CALLBACK, DEPOSIT, EVENT, SCREENING, clock, moment, money, of, plural, short, span } from "./words.js";

export const deposits = ({ deposits: found, payment }) =>
  card(
    "Deposits",
    { class: "panel" },
    found.length === 0
      ? h("p", { class: "quiet-note" }, "None was seen yet.")
      : h("ul", { class: "cells" }, found.map((deposit) => depositCell(deposit, payment.displayCurrency))),
  );

function depositCell(deposit, fiat) {
  const { currency, network, state: word, screening, confirmations, finality, transactionId, fromAddress, refund } = deposit;
  const deep = finality > 1 && word === "CONFIRMED" && confirmations < finality ? ` of ${finality}` : "";
  return h(
    "li",
    { class: "cell", key: deposit.depositId, "data-part": "deposit", "data-value": word },
    h("div", { class: "cell-line" }, h("strong", { class: "sum" }, `${deposit.amount} ${currency}`), badge(SCREENING[screening] && word !== "VANISHED" && screening !== "RELEASED" ? of(SCREENING, screening) : of(DEPOSIT, word))),
    h(
      "p",
      { class: "quiet-note" },
      `${money(deposit.displayAmount, fiat)} at ${deposit.rate} (${deposit.rateType.toLowerCase()}) · on ${network} · `,
      h("span", { "data-part": "confirmations", "data-value": confirmations }, deep ? `${confirmations}${deep} confirmations` : plural(confirmations, "confirmation")),
      word === "UNCONFIRMED" && !deposit.instant ? " · counts when it is confirmed" : "",
      screening === "PENDING" ? " · not screened yet" : "",
      ` · ${moment(deposit.seenAt)}`,
    ),
    h("p", { class: "long" }, h("span", { class: "mono" }, short(transactionId)), copy(transactionId, "the transaction's id")),
    fromAddress && h("p", { class: "long" }, h("span", { class: "from" }, "from ", h("span", { class: "mono" }, short(fromAddress, 8))), copy(fromAddress, "the sender's address")),
    decision({ ...deposit, vanished: word === "VANISHED" }),
    refund &&
      h(
        "p",
        { class: "pill-line", "data-part": "refund", "data-value": refund.status },
        h("span", { class: "pill warn" }, `Refund ${refund.type.toLowerCase()}, ${refund.status.toLowerCase().replace("_", "-")}`),
        h("span", null, `${refund.amount} ${currency}, fee ${refund.fee} (${refund.reason.toLowerCase().replaceAll("_", " ")})`),
      ),
    waiting(deposit.waits),
    word !== "VANISHED" &&
      h(
        "div",
        { class: "acts" },
        word === "UNCONFIRMED" && button("mine", "Confirm", { sign: "block", "data-network": network, "data-part": "confirm" }),
        button("drop", "Drop it", { sign: "drop", tone: "plain danger", "data-transaction": transactionId, "data-part": "drop" }),
        fromAddress && !isFlagged(network, fromAddress) && button("flag", "Flag the sender", { sign: "flag", "data-network": network, "data-address": fromAddress, "data-part": "flag" }),
      ),
  );
}

export const callbacks = ({ callbacks: told }) =>
  card(
    "Callbacks",
    { class: "panel" },
    told.length === 0
      ? h("p", { class: "quiet-note" }, "One for each deposit, when it counts.")
      : h("ul", { class: "cells" }, told.map(callbackCell)),
  );

export function callbackCell(callback) {
  const { id, kind, state: word, attempts, dueAt } = callback;
  const going = attempts.some((attempt) => attempt.millis === null);
  const wait = dueAt === null ? 0 : dueAt - now();
  return h(
    "li",
    { class: "cell", key: id, "data-part": "callback", "data-value": word },
    h("div", { class: "cell-line" }, h("strong", null, EVENT[kind] ?? kind), badge(of(CALLBACK, word))),
    h("p", { class: "long" }, h("span", { class: "mono" }, id), copy(id, "the callback's id")),
    h("ol", { class: "tries" }, attempts.map(attemptLine)),
    word === "PENDING" && dueAt !== null && !going && wait > 0 && h("p", { class: "quiet-note" }, icon("clock"), `next try in ${span(wait)}`),
    h(
      "div",
      { class: "acts" },
      word === "PENDING" && wait > 0 && !going && attempts.length > 0 &&
        button("advance", "Go to the next try", { sign: "forward", "data-seconds": wait, "data-part": "next-try" }),
      button("resend", "Resend", { sign: "resend", "data-id": id, "data-part": "resend" }),
      h("a", { class: "act plain", href: `#/inbox/${id}`, "data-part": "to-inbox" }, icon("inbox"), "In the inbox"),
    ),
  );
}

function attemptLine({ number, startedAt, status, reason, millis }) {
  const fine = status >= 200 && status < 300;
  const what = millis === null ? "on its way" : status === null ? reason : `answered ${status}`;
  return h(
    "li",
    { "data-part": "attempt", "data-value": status ?? "" },
    h("span", { class: `mark ${millis === null ? "busy" : fine ? "good" : "bad"}` }, icon(millis === null ? "state-pending" : fine ? "check" : "cross")),
    h("span", null, `Try ${number}, ${clock(startedAt)}: `, h("strong", null, what), millis === null ? "" : ` in ${millis} ms`),
  );
}

/** Entries of the ledger, folded: most readers do not ask. */
export const ledger = ({ ledger: entries }) =>
  entries.length > 0 &&
  card(
    "Ledger",
    { class: "panel" },
    h(
      "details",
      { class: "fold" },
      summary(plural(entries.length, "entry", "entries")),
      entries.map(({ cause, lines }) =>
        h(
          "table",
          { class: "table", key: cause },
          h("caption", { class: "mono" }, cause),
          h("thead", null, h("tr", null, h("th", { scope: "col" }, "Account"), h("th", { scope: "col", class: "number" }, "Amount"))),
          h("tbody", null, lines.map(({ account, asset, amount }) => h("tr", null, h("td", null, account.toLowerCase()), h("td", { class: "number" }, `${amount} ${asset}`)))),
        ),
      ),
    ),
  );
