// The form of a new payment, in a dialog.
import { h, icon } from "./dom.js";
import { button, field, input, select } from "./parts.js";
import { state } from "./state.js";
import { FIATS } from "./world.js";

const PAIRS = ["BTC", "ETH", "ETH/BSC", "USDT/ETH", "USDT/BSC", "USDT/TRX", "USDC/ETH", "USDC/BSC", "USDC/TRX", "LTC", "BCH", "XRP", "XLM", "LINK/ETH"].map((text) => {
  const [currency, network = currency] = text.split("/");
  return [`${currency}/${network}`, currency === network ? currency : `${currency} on ${network}`];
});

const fault = (name) => state.form.faults.find(({ pointer }) => pointer === `/${name}`)?.detail;

export function create() {
  const general = state.form.faults.filter(({ pointer }) => pointer === "");
  return h(
    "dialog",
    { class: "sheet", "aria-labelledby": "new-title", key: "new" },
    state.form.open &&
      h(
        "form",
        { class: "sheet-form", "data-form": "new", key: `form-${state.form.order}` },
        h("header", { class: "sheet-head" }, h("h2", { id: "new-title" }, "New payment"), button("close", h("span", { class: "offscreen" }, "Close"), { sign: "cross", tone: "mini" })),
        general.map(({ detail }) => h("p", { class: "field-fault", role: "alert" }, detail)),
        h(
          "div",
          { class: "grid" },
          field("Amount", input("displayAmount", { inputmode: "decimal", value: "25.00", required: true, autofocus: true, "data-part": "new-amount" }), { fault: fault("displayAmount") }),
          field("Currency", select("displayCurrency", FIATS.map((code) => [code, code]), "EUR", { "data-part": "new-currency" }), { fault: fault("displayCurrency") }),
          field("Order id", input("clientPaymentId", { value: state.form.order, required: true, "data-part": "new-order" }), { fault: fault("clientPaymentId"), hint: "Yours; unique for each payment." }),
          field("Paid with", select("pair", [["", "The payer chooses"], ...PAIRS], "", { "data-part": "new-pair" }), { fault: fault("depositCurrency") ?? fault("network") }),
          field("Rate", select("rateType", [["", "As the gateway decides"], ["FIXED", "Fixed within the window"], ["FLOATING", "Floating"]], ""), { fault: fault("rateType") }),
          field("Kind", select("type", [["ONE_TIME", "One-time"], ["REUSABLE", "Reusable"]], "ONE_TIME", { "data-part": "new-type" }), { fault: fault("type") }),
          field("Window, minutes", input("expirationMinutes", { type: "number", min: "0", value: "30" }), { fault: fault("expirationMinutes"), hint: "0: seven days." }),
          field("Returns to", input("redirectUrl", { type: "url", placeholder: "http://localhost:3000/thanks" }), { fault: fault("redirectUrl") }),
        ),
        h("footer", { class: "sheet-foot" }, button("close", "Cancel"), h("button", { class: "act primary", "data-part": "create" }, icon("plus"), "Create")),
      ),
  );
}
