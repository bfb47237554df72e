// What the business holds, what it sends, and where it may send to.
import { h } from "./dom.js";
import { flags, held, heldCount } from "./held.js";
import { badge, button, card, chain, copy, empty, summary } from "./parts.js";
import { state } from "./state.js";
import { waiting } from "./waits.js";
import { WITHDRAWAL, moment, of, short } from "./words.js";

const ACCOUNT = {
  FIAT: "Balance, fiat",
  CRYPTO: "Balance, crypto",
  FEES: "Service fees",
  COSTS: "Chain fees",
  REFUNDS: "To be refunded",
  WITHDRAWALS: "To be sent",
  CHAIN: "On chains",
  EXCHANGE: "Exchanged",
  HELD: "Held, nobody's yet",
};

export function money() {
  return h(
    "div",
    { class: "wide halves", key: "money" },
    h("div", { class: "column" }, balances(), withdrawals()),
    h("div", { class: "column" }, heldCount() > 0 && held(), whitelist(), heldCount() === 0 && held(), flags()),
  );
}

function balances() {
  const { balances: rows = [], business } = state.overview ?? {};
  const { settlementCryptoCurrency: crypto = "BTC", settlementFiatCurrency: fiat = "EUR", settlementCryptoRatio: ratio } = business ?? {};
  const sum = (account, asset, label, note) => {
    const amount = rows.find((row) => row.account === account && row.asset === asset)?.amount ?? "0";
    return h("div", { class: "balance" }, h("dt", null, label), h("dd", { "data-part": "balance", "data-value": account, "data-amount": amount }, amount, " ", h("small", null, asset)), note && h("dd", { class: "quiet-note" }, note));
  };
  return card(
    "Balances",
    { class: "panel" },
    h(
      "dl",
      { class: "balances" },
      sum("FIAT", fiat, "Fiat"),
      sum("CRYPTO", crypto, "Crypto", Number(ratio) === 0 && h("span", null, "Nothing is settled in crypto. ", h("a", { href: "#/world" }, "Change the terms"))),
    ),
    h("div", { class: "acts" }, button("withdraw", "Withdraw", { sign: "send", tone: "primary", "data-part": "withdraw" })),
    rows.length > 0 &&
      h(
        "details",
        { class: "fold" },
        summary("The ledger's accounts"),
        h("p", { class: "quiet-note" }, "What is owed is positive, what is held is negative: each asset adds up to zero."),
        h(
          "table",
          { class: "table" },
          h("thead", null, h("tr", null, h("th", { scope: "col" }, "Account"), h("th", { scope: "col", class: "number" }, "Amount"))),
          h("tbody", null, rows.map(({ account, asset, amount }) => h("tr", { key: `${account}-${asset}` }, h("td", null, ACCOUNT[account] ?? account), h("td", { class: "number" }, `${amount} ${asset}`)))),
        ),
      ),
  );
}

function withdrawals() {
  const { withdrawals: rows = [] } = state.overview ?? {};
  return card(
    "Withdrawals",
    { class: "panel" },
    rows.length === 0
      ? empty("send", "No withdrawals yet", "Withdraw above, or with POST /api/v1/withdrawals. It is completed when its network takes it.")
      : h("ul", { class: "cells" }, rows.map(withdrawal)),
  );
}

const withdrawal = (row) =>
  h(
    "li",
    { class: "cell", key: row.withdrawId, "data-part": "withdrawal", "data-value": row.status },
    h("div", { class: "cell-line" }, h("strong", { class: "sum" }, `${row.estimatedWithdrawAmount} ${row.withdrawCurrency}`), badge(of(WITHDRAWAL, row.status))),
    h(
      "p",
      { class: "long" },
      h("span", { class: "with-coin" }, chain(row.network), h("span", null, h("span", { class: "mono" }, short(row.recipientAddress, 8)), row.destinationTag && ` tag ${row.destinationTag}`)),
      copy(row.recipientAddress, "the recipient's address"),
    ),
    h(
      "p",
      { class: "quiet-note" },
      `${row.clientWithdrawId} · ${row.settlementDeductedAmount} ${row.settlementCurrency} ${row.status === "BLOCKED" || row.status === "FAILED" ? "taken and given back" : "taken"}`,
      row.addressOwner && row.addressOwner !== "Unknown" ? ` · ${row.addressOwner}` : "",
      ` · ${moment(row.createdAt)}`,
    ),
    row.transactionId && h("p", { class: "long" }, h("span", { class: "mono" }, short(row.transactionId)), copy(row.transactionId, "the transaction's id")),
    row.status === "BLOCKED" && h("p", { class: "quiet-note" }, "Its recipient is flagged: the screening blocked it, and the callback says so."),
    waiting(row.waits),
  );

function whitelist() {
  const { whitelist: rows = [] } = state.overview ?? {};
  return card(
    "Whitelist",
    { class: "panel" },
    rows.length === 0
      ? empty("lock", "No address is whitelisted yet", "Add one here, or with POST /whitelist-addresses.")
      : h("ul", { class: "cells" }, rows.map(entry)),
    h("div", { class: "acts" }, button("whitelist", "Add an address", { sign: "plus", "data-part": "whitelist" })),
  );
}

const entry = (row) =>
  h(
    "li",
    { class: "cell", key: row.id, "data-part": "whitelisted", "data-value": row.clientAddressId },
    h(
      "div",
      { class: "cell-line" },
      h("strong", null, row.label ?? row.clientAddressId),
      h("span", { class: "with-coin" }, chain(row.network), `${row.currency}${row.currency === row.network ? "" : ` on ${row.network}`}`),
    ),
    h("p", { class: "long" }, h("span", null, h("span", { class: "mono" }, row.address), row.destinationTag && ` tag ${row.destinationTag}`), copy(row.address, "the address")),
    h("p", { class: "quiet-note" }, `${row.label ? `${row.clientAddressId} · ` : ""}since ${moment(Number(row.createdAt))}`),
    h(
      "div",
      { class: "acts" },
      button("withdraw", "Withdraw to it", {
        sign: "send",
        "data-pair": `${row.currency}/${row.network}`,
        "data-address": row.destinationTag ? `${row.address}?dt=${row.destinationTag}` : row.address,
        "data-part": "withdraw-to",
      }),
    ),
  );
