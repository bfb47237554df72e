// Under which terms the sandbox's business is paid, and other ones to try.
import { COINS } from "./codes.js";
import { h, icon } from "./dom.js";
import { card, fact, field, input, select, summary } from "./parts.js";
import { state } from "./state.js";

const percent = (share) => `${Number((Number(share) * 100).toFixed(6))} %`;

const all = (codes, whole) => (codes.length >= whole ? `all ${codes.length}` : codes.join(", "));

export function terms() {
  const { business, serviceFees = ["0", "0"] } = state.overview ?? {};
  if (!business) return null;
  const { settlementCryptoRatio: ratio, settlementCryptoCurrency: crypto, settlementFiatCurrency: fiat, overpaymentPolicy } = business;
  const followUps = business.refundFollowUpDepositsForOneTimePayments;
  const settled = Number(ratio) === 0 ? `all in ${fiat}` : Number(ratio) === 1 ? `all in ${crypto}` : `${percent(ratio)} in ${crypto}, the rest in ${fiat}`;
  return card(
    "Terms of the business",
    { class: "panel" },
    h(
      "dl",
      { class: "lines" },
      fact("Name", business.name),
      fact("Too much", overpaymentPolicy === "EXCESS_REFUND" ? "the excess goes back" : "is kept", { part: "overpayment" }),
      fact("Paid again", followUps ? "goes back" : "is kept"),
      fact("Settled", settled, { part: "settled" }),
      fact("Service fees", `${percent(serviceFees[0])} of deposits, ${percent(serviceFees[1])} of withdrawals`),
      fact("Takes", all(business.supportedDepositCurrencies, COINS.length)),
      fact("Deposits told at", business.depositReceivedCallbackUrl ?? "nowhere"),
      fact("Withdrawals told at", business.withdrawalCallbackUrl ?? "nowhere"),
    ),
    h(
      "details",
      { class: "fold" },
      summary("Try other terms"),
      h(
        "form",
        { class: "grid", "data-form": "terms" },
        field("What is too much", select("overpaymentPolicy", [["PROCESS", "is kept"], ["EXCESS_REFUND", "goes back"]], overpaymentPolicy, { "data-part": "terms-overpayment" }), { hint: "Of payments from now on." }),
        field("What is paid again", select("followUps", [["false", "is kept"], ["true", "goes back"]], String(followUps), { "data-part": "terms-follow-ups" }), { hint: "Of payments from now on." }),
        field("Settled in crypto, share", input("settlementCryptoRatio", { inputmode: "decimal", value: ratio, required: true, "data-part": "terms-ratio" }), { hint: "0 to 1. Fills the crypto balance." }),
        field("In", select("settlementCryptoCurrency", COINS.map((code) => [code, code]), crypto, { "data-part": "terms-crypto" })),
        h("button", { class: "act plain", "data-part": "set-terms" }, icon("check"), "Set the terms"),
      ),
    ),
  );
}
