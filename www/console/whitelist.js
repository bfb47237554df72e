// The form of a new address of the whitelist.
import { h } from "./dom.js";
import { button, fault, field, input, select } from "./parts.js";
import { TAG, pairOf, pairs } from "./pairs.js";
import { state } from "./state.js";

export function whitelist() {
  const pair = pairOf(state.form.values.pair ?? "BTC/BTC");
  return h(
    "div",
    { class: "grid" },
    field("Currency and network", select("pair", pairs("withdrawal"), "BTC/BTC", { autofocus: true, "data-part": "whitelist-pair" }), { fault: fault("currency") ?? fault("network") }),
    field("Id of yours", input("clientAddressId", { value: state.form.id, required: true, "data-part": "whitelist-id" }), { fault: fault("clientAddressId"), hint: "Unique: the same request again changes nothing." }),
    h(
      "div",
      { class: "full with-button", key: "to" },
      field("Address", input("address", { required: true, "data-part": "whitelist-address" }), { fault: fault("address") }),
      button("sample", "A sample", { "data-into": "address", "data-network": pair?.network ?? "", "aria-label": "Fill in a sample address", "data-part": "sample" }),
    ),
    pair && TAG[pair.tag] && field(TAG[pair.tag], input("destinationTag", { "data-part": "whitelist-tag" }), { fault: fault("destinationTag"), hint: "Where the recipient has one." }),
    field("Label", input("label", { "data-part": "whitelist-label" }), { fault: fault("label"), hint: "What you call it." }),
  );
}
