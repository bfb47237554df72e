// What happened, the newest first.
import { h, icon } from "./dom.js";
import { card } from "./parts.js";
import { clock, date, plural, short, span } from "./words.js";

/** Shape, colour and words of what can happen. */
const WHAT = {
  CREATED: ["plus", "calm", () => "Payment created"],
  CLOCK_MOVED: ["forward", "warn", ({ quantity }) => `Clock moved by ${span(quantity)}`],
  WINDOW_ENDED: ["state-expired", "bad", () => "Window ended"],
  RATE_SET: ["gauge", "warn", ({ subject }) => `Rate set: ${subject}`],
  ADDRESS_GIVEN: ["wallet", "calm", ({ network, subject }) => `Address on ${network}: ${short(subject, 6)}`],
  QUOTED: ["gauge", "calm", ({ amount, currency, network }) => `Quoted ${amount} ${currency} on ${network}`],
  SEEN: ["send", "busy", ({ amount, currency, subject }) => `Saw ${amount} ${currency} (${short(subject, 6)})`],
  DROPPED: ["drop", "bad", ({ subject }) => `Transfer dropped (${short(subject, 6)})`],
  REORGANISED: ["fork", "warn", ({ network, quantity }) => `${network} lost ${plural(quantity, "block")}`],
  MINED: ["block", "good", ({ network, quantity }) => `${plural(quantity, "block")} on ${network}`],
  FLAGGED: ["flag", "warn", ({ subject }) => `Sender flagged: ${short(subject, 6)}`],
  UNFLAGGED: ["flag", "calm", ({ subject }) => `Sender flagged no more: ${short(subject, 6)}`],
  RELEASED: ["check", "good", () => "Held deposit released"],
  REFUSED: ["cross", "bad", () => "Held deposit refused"],
  PAID: ["state-deposited", "good", () => "Paid"],
  CALLBACK: ["inbox", "calm", () => "Callback written"],
  CALLBACK_TRIED: ["resend", "calm", ({ quantity, status, reason }) => `Callback, try ${quantity}: ${status ?? reason ?? "on its way"}`],
  REFUNDED: ["send", "good", () => "Refund confirmed"],
};

export function timeline({ events }) {
  const shown = [...events].reverse();
  let day = "";
  return card(
    "Timeline",
    { class: "panel" },
    h(
      "ol",
      { class: "time" },
      shown.map((event, at) => {
        const [sign, usual, words] = WHAT[event.what] ?? ["state-new", "calm", () => event.what];
        const tone = event.what !== "CALLBACK_TRIED" || event.status === undefined ? usual : event.status < 300 ? "good" : "bad";
        const today = date(event.at);
        const header = today !== day && h("li", { class: "day", key: `day-${today}` }, today);
        day = today;
        return [
          header,
          h(
            "li",
            { key: `event-${shown.length - at}`, "data-part": "event", "data-value": event.what },
            h("span", { class: `mark ${tone}` }, icon(sign)),
            h("span", null, words(event)),
            h("time", { datetime: new Date(event.at * 1_000).toISOString() }, clock(event.at)),
          ),
        ];
      }),
    ),
  );
}
