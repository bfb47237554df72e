// What the business holds, what it sent, and where it may send to.
import { h } from "./dom.js";
import { badge, card, chain, copy, empty } from "./parts.js";
import { state } from "./state.js";
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
};

const head = (...names) => h("thead", null, h("tr", null, names.map((name) => h("th", { scope: "col", class: name === "Amount" ? "number" : null }, name))));

const scroll = (label, ...children) => h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, h("table", { class: "table" }, children));

export function money() {
  const { balances = [], withdrawals = [], whitelist = [] } = state.overview ?? {};
  return h(
    "div",
    { class: "wide", key: "money" },
    card(
      "Balances",
      { class: "panel" },
      balances.length > 0 && h("p", { class: "quiet-note" }, "What is owed is positive, what is held is negative: each asset adds up to zero."),
      balances.length === 0
        ? empty("wallet", "Nothing is booked yet", "Confirmed deposits are booked here, twice each: every asset adds up to zero.")
        : scroll("Balances", head("Account", "Asset", "Amount"), h("tbody", null, balances.map(({ account, asset, amount }) => h("tr", null, h("td", null, ACCOUNT[account] ?? account), h("td", null, asset), h("td", { class: "number", "data-part": "balance", "data-value": account }, amount))))),
    ),
    card(
      "Withdrawals",
      { class: "panel" },
      withdrawals.length === 0
        ? empty("send", "No withdrawals yet", "Ask for one with POST /api/v1/withdrawals. A block on its network completes it.")
        : scroll("Withdrawals", head("Withdrawal", "Status", "To", "Amount", "When"), h("tbody", null, withdrawals.map(withdrawal))),
    ),
    card(
      "Whitelist",
      { class: "panel" },
      whitelist.length === 0
        ? empty("lock", "No address is whitelisted yet", "Add one with POST /whitelist-addresses.")
        : scroll("Whitelist", head("Id", "Asset", "Address", "Label", "Since"), h("tbody", null, whitelist.map(entry))),
    ),
  );
}

const withdrawal = (row) =>
  h(
    "tr",
    { key: row.withdrawId, "data-part": "withdrawal", "data-value": row.status },
    h("td", null, row.clientWithdrawId),
    h("td", null, badge(of(WITHDRAWAL, row.status))),
    h("td", null, h("span", { class: "with-coin" }, chain(row.network), h("span", { class: "mono" }, short(row.recipientAddress, 8)), copy(row.recipientAddress, "the recipient's address")), row.addressOwner),
    h("td", { class: "number" }, `${row.estimatedWithdrawAmount} ${row.withdrawCurrency}`),
    h("td", null, moment(row.createdAt)),
  );

const entry = (row) =>
  h(
    "tr",
    { key: row.id, "data-part": "whitelisted" },
    h("td", null, row.clientAddressId),
    h("td", null, row.currency),
    h("td", null, h("span", { class: "with-coin" }, chain(row.network), h("span", { class: "mono" }, short(row.address, 8)), copy(row.address, "the address")), row.destinationTag ? `tag ${row.destinationTag}` : ""),
    h("td", null, row.label ?? ""),
    h("td", null, moment(Number(row.createdAt))),
  );
