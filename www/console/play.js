// The payer, the chain and the time, each a row of buttons.
import { now } from "./api.js";
import { h, icon } from "./dom.js";
import { isFlagged } from "./held.js";
import { sample } from "./pairs.js";
import { button, card, field, input, select, summary } from "./parts.js";
import { span } from "./words.js";

/** Nothing is chosen yet: choose in the payer's place. */
export function choose({ options }) {
  const pairs = options.map(({ currency, network, estimatedAmount }) => [
    `${currency}/${network}`,
    `${currency}${currency === network ? "" : ` on ${network}`}${estimatedAmount ? ` · ${estimatedAmount}` : ""}`,
  ]);
  return card(
    "Play the payer",
    { class: "panel" },
    h("p", { class: "quiet-note" }, "Choose in the checkout as a payer would, or here."),
    h(
      "form",
      { class: "inline", "data-form": "choose" },
      field("Pay with", select("pair", pairs, pairs[0]?.[0], { "data-part": "pair" })),
      h("button", { class: "act primary", "data-part": "choose" }, "Choose"),
    ),
    time(),
  );
}

export function play(view) {
  const { quote, addresses, payment, windowEnd } = view;
  const { currency, network } = quote;
  const due = quote.remaining !== "0";
  const pay = (label, amount, part, tone) =>
    button("pay", h("span", { class: "two" }, h("b", null, label), h("small", null, `${amount} ${currency}`)), {
      tone: `${tone} tall`,
      "data-amount": amount,
      "data-part": part,
    });
  return card(
    "Try it",
    { class: "panel", "data-part": "act" },
    h(
      "div",
      { class: "hand" },
      h("h4", null, "Payer"),
      h(
        "div",
        { class: "thirds" },
        pay(due ? "Pay the rest" : "Pay it again", quote.tryExact, "pay-exact", "primary"),
        pay("Pay half", quote.tryHalf, "pay-half", "plain"),
        pay("Pay too much", quote.tryMore, "pay-more", "plain"),
      ),
      custom(addresses, currency),
      flaggedSender(network),
    ),
    h(
      "div",
      { class: "hand" },
      h("h4", null, `Chain ${network}`),
      h(
        "div",
        { class: "acts" },
        button("mine", "Mine a block", { sign: "block", "data-network": network, "data-part": "mine" }),
        h(
          "form",
          { class: "inline tight", "data-form": "reorganise", "data-network": network },
          field("Blocks", input("depth", { type: "number", min: "1", max: "1000", value: "1", required: true, "data-part": "depth" })),
          h("button", { class: "act plain", "data-part": "reorganise" }, "Reorganise"),
        ),
      ),
    ),
    time(windowEnd, payment.status),
  );
}

/** Who pays by a click is flagged: that explains what follows. */
function flaggedSender(network) {
  const usual = sample(network);
  if (!usual || !isFlagged(network, usual)) return null;
  return h(
    "div",
    { class: "held-note", "data-part": "usual-is-flagged" },
    h("p", null, icon("flag"), h("span", null, `The usual sender on ${network} is flagged: what these buttons pay is held.`)),
    h("div", { class: "acts" }, button("unflag", "Flag it no more", { "data-network": network, "data-address": usual })),
  );
}

/** Any amount, to any address of the payment, with any tag. */
function custom(addresses, currency) {
  const to = addresses.map(({ network, address, destinationTag }) => [JSON.stringify({ network, address, tag: destinationTag }), `${network} · ${address}`]);
  const current = addresses.findIndex((given) => given.current);
  return h(
    "details",
    { class: "fold" },
    summary("Another transfer"),
    h(
      "form",
      { class: "grid", "data-form": "transfer" },
      field("Amount", input("amount", { inputmode: "decimal", required: true, "data-part": "custom-amount" })),
      field("Currency", input("currency", { value: currency, required: true })),
      field("To", select("to", to, to[current]?.[0])),
      field("Tag", input("tag", { "data-part": "custom-tag" }), { hint: "Empty: as given. 0 or another one to see what a wrong tag does." }),
      field("From", input("from", { "data-part": "custom-from" }), { hint: "Empty: the sandbox's usual sender." }),
      h("label", { class: "check" }, h("input", { type: "checkbox", name: "replaceable" }), h("span", null, "Can be replaced (BIP 125): not taken at first sight")),
      h("label", { class: "check" }, h("input", { type: "checkbox", name: "flagged", "data-part": "custom-flagged" }), h("span", null, "Its sender is flagged: flag it before")),
      h("button", { class: "act plain", "data-part": "send" }, "Send"),
    ),
  );
}

/** The gateway's clock goes forward only; it is one for all payments. */
export function time(windowEnd = null, status = "NEW", titled = true) {
  const left = windowEnd === null ? 0 : windowEnd - now();
  const open = left > 0 && ["NEW", "PENDING", "AWAITING"].includes(status);
  return h(
    "div",
    { class: "hand", key: "time" },
    titled && h("h4", null, "Clock of the gateway"),
    h(
      "div",
      { class: "acts" },
      open && button("advance", `Expire now (+${span(left)})`, { sign: "forward", "data-seconds": left, "data-part": "expire" }),
      button("advance", "+5 min", { "data-seconds": 300, "data-part": "advance-5" }),
      button("advance", "+1 h", { "data-seconds": 3600, "data-part": "advance-60" }),
      h(
        "form",
        { class: "inline tight", "data-form": "advance" },
        field("Minutes", input("minutes", { type: "number", min: "1", max: "5256000", value: "30", required: true })),
        h("button", { class: "act plain" }, "Advance"),
      ),
    ),
  );
}
