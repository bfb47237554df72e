// Money from flagged senders: what is held, what can be made of it, and who is flagged.
import { h, icon } from "./dom.js";
import { badge, button, card, chain, copy, empty, field, input, select, summary } from "./parts.js";
import { state } from "./state.js";
import { DEPOSIT, SCREENING, moment, of, short } from "./words.js";

/** What happens to a flagged deposit, for whoever has to decide. */
const SAYS = {
  FLAGGED: "Held: the merchant is told nothing, and the payment keeps waiting, until you decide.",
  RELEASING: "About to be released.",
  RELEASED: "Released: it was credited, and the merchant was told. That stands.",
  REFUSING: "About to be refused.",
  REFUSED: "Refused: kept apart, never told. The payment can be paid otherwise. It can still be released.",
};

export const heldCount = () => (state.overview?.flagged ?? []).filter(({ screening, vanished }) => screening === "FLAGGED" && !vanished).length;

export const isFlagged = (network, address) =>
  (state.overview?.flaggedAddresses ?? []).some((known) => known.network === network && known.address === address);

const decide = (word, label, more) => button(word, label, { "data-part": word, ...more });

/** What was held of a deposit, and the two decisions. `null` for one that was simply taken. */
export function decision({ depositId, screening, owner, vanished }) {
  if (!SAYS[screening] || vanished) return null;
  const open = screening === "FLAGGED";
  return h(
    "div",
    { class: open ? "held-note" : "held-note calm-note", "data-part": "held", "data-value": screening },
    h("p", null, icon(open ? "flag" : of(SCREENING, screening).icon), h("span", null, SAYS[screening], owner && ` Sender: ${owner[0]}, ${owner[1].toLowerCase()}.`)),
    (open || screening === "REFUSED") &&
      h(
        "div",
        { class: "acts" },
        decide("release", "Release", { sign: "check", "data-id": depositId }),
        open && decide("refuse", "Refuse", { sign: "cross", tone: "plain danger", "data-id": depositId }),
      ),
  );
}

/** Every deposit that was ever flagged. */
export function held() {
  const { flagged = [] } = state.overview ?? {};
  return card(
    "Flagged deposits",
    { class: "panel", "data-part": "flagged" },
    h(
      "p",
      { class: "quiet-note" },
      "Money from a flagged sender is nobody's at first. No callback is sent, whatever its confirmations; in production an operator calls the merchant. Release credits it and sends the callback at once, for good. Refuse keeps it apart: no callback, ever.",
    ),
    flagged.length === 0
      ? empty("flag", "Nothing is held", "Flag a sender below, then pay from its address.")
      : h("ul", { class: "cells" }, flagged.map(heldCell)),
  );
}

const heldCell = (deposit) =>
  h(
    "li",
    { class: "cell", key: deposit.depositId, "data-part": "held-deposit", "data-value": deposit.vanished ? "VANISHED" : deposit.screening },
    h(
      "div",
      { class: "cell-line" },
      h("span", { class: "with-coin" }, chain(deposit.network), h("strong", { class: "sum" }, `${deposit.amount} ${deposit.currency}`)),
      badge(deposit.vanished ? DEPOSIT.VANISHED : of(SCREENING, deposit.screening)),
    ),
    h(
      "p",
      { class: "quiet-note" },
      "for ",
      h("a", { href: `#/payments/${deposit.paymentId}` }, deposit.clientPaymentId),
      ` · ${moment(deposit.seenAt)} · from `,
      h("span", { class: "mono" }, short(deposit.fromAddress, 8)),
    ),
    decision(deposit),
  );

/** Who is flagged, and a form for more. */
export function flags() {
  const { flaggedAddresses = [], chains = [] } = state.overview ?? {};
  const networks = chains.map(({ network, name }) => [network, name]);
  return card(
    "Flagged senders",
    { class: "panel" },
    h("p", { class: "quiet-note" }, "From now on: what comes from these addresses is held, and what goes to them is blocked."),
    flaggedAddresses.length > 0 &&
      h(
        "ul",
        { class: "cells" },
        flaggedAddresses.map(({ network, address }) =>
          h(
            "li",
            { class: "cell flagged-line", key: `${network}-${address}`, "data-part": "flagged-sender", "data-value": address },
            h("p", { class: "long" }, h("span", { class: "with-coin" }, chain(network), h("span", { class: "mono" }, address)), copy(address, "the address")),
            button("unflag", "Flag no more", { "data-network": network, "data-address": address, "data-part": "unflag" }),
          ),
        ),
      ),
    networks.length > 0 &&
      h(
        "details",
        { class: "fold" },
        summary("Flag an address"),
        h(
          "form",
          { class: "grid", "data-form": "flag" },
          field("Network", select("network", networks, networks[0][0], { "data-part": "flag-network" })),
          field("Address", input("address", { required: true, "data-part": "flag-address" }), { hint: "Of a payer, or of a recipient." }),
          h("button", { class: "act plain", "data-part": "flag-it" }, icon("flag"), "Flag it"),
        ),
      ),
  );
}
