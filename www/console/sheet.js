// The dialog, and which form is in it.
import { h } from "./dom.js";
import { button } from "./parts.js";
import { create } from "./create.js";
import { state } from "./state.js";
import { whitelist } from "./whitelist.js";
import { withdraw } from "./withdraw.js";

/** By the name of the form: its title, its fields, the word on its button and how tests call it, further fields of its request. */
const SHEETS = {
  new: ["New payment", create, "Create", "create", ["depositCurrency", "network"]],
  whitelist: ["Whitelist an address", whitelist, "Add it", "whitelist-it", ["currency", "network"]],
  withdraw: ["Withdraw", withdraw, "Withdraw", "withdraw-it", ["withdrawCurrency", "network", "displayCurrency", "targetAmountPolicy"]],
};

export function sheet() {
  const { name, faults, id } = state.form;
  const [title, fields, word, part, aliases] = SHEETS[name] ?? [];
  const body = name && fields();
  const shown = name ? [...aliases, ...[...body.querySelectorAll("[name]")].map((control) => control.name)] : [];
  // What is at none of the fields stands above them.
  const general = faults.filter(({ pointer }) => !shown.includes(pointer.slice(1)));
  return h(
    "dialog",
    { class: "sheet", "aria-labelledby": "sheet-title", key: "sheet" },
    name &&
      h(
        "form",
        { class: "sheet-form", "data-form": name, key: `form-${name}-${id}` },
        h("header", { class: "sheet-head" }, h("h2", { id: "sheet-title" }, title), button("close", h("span", { class: "offscreen" }, "Close"), { sign: "cross", tone: "mini" })),
        general.map(({ pointer, detail }) => h("p", { class: "field-fault", role: "alert", "data-part": "fault" }, pointer ? `${pointer.slice(1)} ${detail}` : detail)),
        body,
        h(
          "footer",
          { class: "sheet-foot" },
          button("close", "Cancel"),
          h("button", { class: "act primary", "data-part": part, "aria-disabled": state.busy.has(name) && "true" }, word),
        ),
      ),
  );
}
