// The form of a withdrawal. What it costs is asked while it is filled in, of the same code that makes it.
import { h, icon } from "./dom.js";
import { button, fault, field, input, select } from "./parts.js";
import { TAG, pairOf, pairs } from "./pairs.js";
import { state } from "./state.js";
import { money } from "./words.js";

const balance = (account) => state.overview?.balances.find((row) => row.account === account)?.amount ?? "0";

/** The body of the request that the values of the form say. */
export function request({ pair, unit, ...texts }) {
  const [withdrawCurrency, network] = pair.split("/");
  const isCrypto = unit === "CRYPTO";
  const body = { withdrawCurrency, network, targetAmountPolicy: isCrypto ? "CRYPTO" : "FIAT", displayCurrency: isCrypto ? "EUR" : unit };
  for (const [name, text] of Object.entries(texts)) if (text.trim() !== "") body[name] = text.trim();
  return body;
}

export function withdraw() {
  const { values } = state.form;
  const { settlementCryptoCurrency: crypto = "BTC", settlementFiatCurrency: fiat = "EUR" } = state.overview?.business ?? {};
  const pair = pairOf(values.pair ?? "BTC/BTC");
  const known = (state.overview?.whitelist ?? []).filter(({ currency, network }) => currency === pair?.currency && network === pair?.network);
  return h(
    "div",
    { class: "grid" },
    field("From", select("withdrawalAccount", [["FIAT", `Fiat balance · ${balance("FIAT")} ${fiat}`], ["CRYPTO", `Crypto balance · ${balance("CRYPTO")} ${crypto}`]], "FIAT", { autofocus: true, "data-part": "withdraw-account" }), {
      fault: fault("withdrawalAccount"),
    }),
    field("Send", select("pair", pairs("withdrawal"), values.pair ?? "BTC/BTC", { "data-part": "withdraw-pair" }), { fault: fault("withdrawCurrency") ?? fault("network") }),
    h(
      "div",
      { class: "full with-button", key: "to" },
      field("To", input("recipientAddress", { required: true, list: "whitelisted", value: state.form.start.recipientAddress, "data-part": "withdraw-address" }), {
        fault: fault("recipientAddress"),
        hint: known.length > 0 ? "Any address; those of the whitelist are offered." : "Any address of that network.",
      }),
      button("sample", "A sample", { "data-into": "recipientAddress", "data-network": pair?.network ?? "", "aria-label": "Fill in a sample address", "data-part": "sample" }),
      h("datalist", { id: "whitelisted" }, known.map(({ address, destinationTag, label, clientAddressId }) => h("option", { value: destinationTag ? `${address}?dt=${destinationTag}` : address }, label ?? clientAddressId))),
    ),
    pair && TAG[pair.tag] && field(TAG[pair.tag], input("destinationTag", { "data-part": "withdraw-tag" }), { fault: fault("destinationTag"), hint: "Empty: none. Or at the address as ?dt=…" }),
    field("Amount", input("targetAmount", { inputmode: "decimal", required: true, "data-part": "withdraw-amount" }), {
      fault: fault("targetAmount"),
      hint: pair && `From ${pair.minimum} to ${pair.maxAmount} ${pair.currency}.`,
    }),
    field("In", select("unit", [["CRYPTO", pair?.currency ?? "crypto"], ...["EUR", "USD", "GBP", "CHF"].map((code) => [code, code])], "EUR", { "data-part": "withdraw-unit" }), {
      fault: fault("displayCurrency") ?? fault("targetAmountPolicy"),
      hint: pair && h("span", null, "Or ", h("button", { type: "button", class: "link", "data-do": "smallest", "data-amount": pair.minimum, "data-part": "smallest" }, `the smallest, ${pair.minimum} ${pair.currency}`)),
    }),
    field("Id of yours", input("clientWithdrawalId", { value: state.form.id, required: true, "data-part": "withdraw-id" }), { fault: fault("clientWithdrawalId"), hint: "Unique: the same request again sends nothing." }),
    costs(pair),
  );
}

/** What the recipient gets and what is taken, before anything is. */
function costs(pair) {
  const shown = state.form.preview;
  const share = Number(state.overview?.serviceFees[1] ?? 0) * 100;
  const line = (label, value, part) => h("div", { class: "line" }, h("dt", null, label), h("dd", { "data-part": part, "data-value": value }, value));
  return h(
    "div",
    { class: "full quote-box", "data-part": "costs", "data-value": shown ? "known" : "unknown" },
    shown
      ? h(
          "dl",
          { class: "lines" },
          line("The recipient gets", `${shown.estimatedWithdrawAmount} ${shown.withdrawCurrency}, ${money(shown.estimatedDisplayAmount, shown.displayCurrency)}`, "cost-amount"),
          line("Fee of the chain", `${pair?.withdrawFee ?? "?"} ${shown.withdrawCurrency}`, "cost-chain"),
          line("Service fee", `${shown.settlementServiceFee} ${shown.settlementCurrency}`, "cost-service"),
          line("Taken off the balance", `${shown.settlementDeductedAmount} ${shown.settlementCurrency}`, "cost-all"),
        )
      : h("p", { class: "quiet-note" }, icon("wallet"), pair ? `On top of the amount: ${pair.withdrawFee} ${pair.currency} for the chain, ${share} % for the service. The sum stands here as soon as address and amount are right.` : ""),
  );
}
