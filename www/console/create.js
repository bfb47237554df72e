// The form of a new payment.
import { FIATS } from "./codes.js";
import { h } from "./dom.js";
import { fault, field, input, select } from "./parts.js";
import { pairs } from "./pairs.js";
import { state } from "./state.js";

export const create = () =>
  h(
    "div",
    { class: "grid" },
    field("Amount", input("displayAmount", { inputmode: "decimal", value: "25.00", required: true, autofocus: true, "data-part": "new-amount" }), { fault: fault("displayAmount") }),
    field("Currency", select("displayCurrency", FIATS.map((code) => [code, code]), "EUR", { "data-part": "new-currency" }), { fault: fault("displayCurrency") }),
    field("Order id", input("clientPaymentId", { value: state.form.id, required: true, "data-part": "new-order" }), { fault: fault("clientPaymentId"), hint: "Yours; unique for each payment." }),
    field("Paid with", select("pair", [["", "The payer chooses"], ...pairs("deposit")], "", { "data-part": "new-pair" }), { fault: fault("depositCurrency") ?? fault("network") }),
    field("Rate", select("rateType", [["", "As the gateway decides"], ["FIXED", "Fixed within the window"], ["FLOATING", "Floating"]], ""), { fault: fault("rateType") }),
    field("Kind", select("type", [["ONE_TIME", "One-time"], ["REUSABLE", "Reusable"]], "ONE_TIME", { "data-part": "new-type" }), { fault: fault("type") }),
    field("Window, minutes", input("expirationMinutes", { type: "number", min: "0", value: "30" }), { fault: fault("expirationMinutes"), hint: "0: seven days." }),
    field("Returns to", input("redirectUrl", { type: "url", placeholder: "http://localhost:3000/thanks" }), { fault: fault("redirectUrl") }),
  );
