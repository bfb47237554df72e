// Blocks that something waits for, and the click that mines exactly these.
import { h, icon } from "./dom.js";
import { button } from "./parts.js";
import { plural } from "./words.js";

const UNTIL = { SENT: "then it is sent", FINAL: "then it is final" };

/** `waits` as the gateway counts them: `{network, blocks, until}`. */
export const waiting = (waits) =>
  waits.map(({ network, blocks, until }) =>
    h(
      "div",
      { class: "wait", key: `wait-${network}`, "data-part": "wait", "data-value": blocks },
      h("p", null, icon("clock"), h("span", null, `Waits for ${plural(blocks, "more block", "more blocks")} on ${network}, ${UNTIL[until] ?? "then it goes on"}.`)),
      button("mine", blocks === 1 ? "Mine it" : `Mine ${blocks} blocks`, { sign: "block", "data-network": network, "data-count": blocks, "data-part": "mine-wait" }),
    ),
  );
