// The built-in receiver: what arrived, byte for byte, and how it answers.
import { h, icon } from "./dom.js";
import { badge, button, card, copy, empty, fact, field, input, select, summary } from "./parts.js";
import { state } from "./state.js";
import { CALLBACK, EVENT, VERDICT, age, moment, of, plural } from "./words.js";

/** The delivery that is shown: by its own id, or the newest of a callback. */
export const chosen = () =>
  state.inbox?.find(({ id }) => id === state.route.id) ?? state.inbox?.find(({ webhookId }) => webhookId === state.route.id);

export function inbox() {
  return [
    h(
      "section",
      { class: "side", key: "side", "aria-label": "Deliveries" },
      manner(),
      state.inbox === null
        ? h("div", { class: "bones", "aria-hidden": "true" }, h("i"), h("i"), h("i"))
        : state.inbox.length === 0
          ? empty("inbox", "Nothing arrived yet", "Callbacks of the sandbox's business come here, unless it was started with a URL of yours.")
          : [h("ul", { class: "rows-list" }, state.inbox.map(row)), h("p", { class: "more" }, button("clear", "Empty the inbox", { "data-part": "clear" }))],
    ),
    h("section", { class: "stage", key: `stage-${state.route.id}`, "aria-label": "Delivery" }, delivery()),
  ];
}

/** How the next deliveries are answered. */
function manner() {
  const { status, times, delaySeconds } = state.overview?.inbox ?? { status: 204, times: 0, delaySeconds: 0 };
  const usual = times === 0;
  const late = delaySeconds > 0 ? ` after ${delaySeconds} s` : "";
  return h(
    "div",
    { class: "manner" },
    h(
      "p",
      { class: usual ? "manner-now" : "manner-now unusual", "data-part": "manner", "data-value": times },
      icon(usual ? "check" : "warning"),
      usual ? "Answers 204 at once" : `Answers ${status}${late} to the next ${times === 1 ? "delivery" : `${times} deliveries`}`,
    ),
    !usual && button("answers", "As usual again", { "data-part": "usual" }),
    h(
      "details",
      { class: "fold" },
      summary("Try retries"),
      h(
        "form",
        { class: "grid", "data-form": "answers" },
        field("Answer", select("status", [["500", "500, an error"], ["503", "503, busy"], ["404", "404, wrong address"], ["410", "410, no more of this"], ["302", "302, elsewhere"], ["200", "200, fine"]], "500", { "data-part": "answer-status" })),
        field("Next deliveries", input("times", { type: "number", min: "1", max: "1000", value: "1", required: true, "data-part": "answer-times" })),
        field("Wait, seconds", input("delaySeconds", { type: "number", min: "0", max: "25", value: "0", required: true }), { hint: "From 20 on the gateway gives up." }),
        h("button", { class: "act plain", "data-part": "answer" }, "Answer so"),
      ),
    ),
  );
}

function row(delivery) {
  const verdict = of(VERDICT, delivery.verdict);
  const shown = chosen()?.id === delivery.id;
  return h(
    "li",
    { key: delivery.id },
    h(
      "a",
      { class: "row", href: `#/inbox/${delivery.id}`, "aria-current": shown && "true", "data-part": "delivery", "data-value": delivery.verdict },
      h("span", { class: `mark ${verdict.tone}` }, icon(verdict.icon)),
      h("span", { class: "row-name" }, EVENT[delivery.kind] ?? "Something else"),
      h("span", { class: "row-amount" }, h("span", { class: delivery.answered < 300 ? "pill good" : "pill bad", "data-part": "answered", "data-value": delivery.answered }, String(delivery.answered))),
      h("span", { class: `row-state ${verdict.tone}` }, verdict.word),
      h("span", { class: "row-note" }),
      h("span", { class: "row-age" }, age(delivery.receivedAt)),
    ),
  );
}

function delivery() {
  const shown = chosen();
  if (!shown) {
    const wanted = state.route.id && state.inbox !== null;
    return h(
      "div",
      { class: "panel hollow" },
      wanted && back(),
      wanted ? empty("inbox", "It is not in the inbox", "It was not delivered here, or not yet.") : empty("inbox", "Choose a delivery", "Its headers, its very bytes and its signature stand here."),
    );
  }
  const { webhookId, paymentId, kind, tries } = shown;
  const callback = of(CALLBACK, shown.state);
  return [
    back(),
    h(
      "header",
      { class: "panel head", key: shown.id },
      h("div", { class: "head-line" }, h("h2", { tabindex: "-1", "data-part": "title" }, EVENT[kind] ?? "Something else"), badge(of(VERDICT, shown.verdict), "verdict", shown.verdict)),
      h(
        "dl",
        { class: "lines" },
        fact("Received", moment(shown.receivedAt)),
        fact("Answered", `${shown.answered}${shown.delaySeconds ? ` after ${shown.delaySeconds} s` : ""}`),
        webhookId && fact("Event id", webhookId, { text: webhookId, mono: true, part: "webhook-id" }),
        tries !== null && fact("The callback", `${callback.word.toLowerCase()}, ${plural(tries, "try", "tries")}`),
      ),
      h(
        "div",
        { class: "acts" },
        kind && button("resend", "Resend", { sign: "resend", "data-id": webhookId, "data-part": "resend" }),
        paymentId && h("a", { class: "act plain", href: `#/payments/${paymentId}` }, icon("list"), "Its payment"),
      ),
    ),
    body(shown),
    headers(shown),
  ];
}

const back = () => h("a", { class: "back-link", href: "#/inbox" }, icon("arrow-left"), "All deliveries");

function body({ body: bytes, id }) {
  let pretty = null;
  try {
    JSON.parse(bytes);
    pretty = indented(bytes);
  } catch {
    // Not JSON: there is the raw text only.
  }
  const raw = state.raw || pretty === null;
  return card(
    "Body",
    { class: "panel", key: `body-${id}` },
    h(
      "div",
      { class: "cell-line" },
      pretty !== null
        ? h(
            "div",
            { class: "tabs", role: "group", "aria-label": "How the body is shown" },
            h("button", { type: "button", class: "tab", "aria-pressed": String(!raw), "data-do": "pretty" }, "Pretty"),
            h("button", { type: "button", class: "tab", "aria-pressed": String(raw), "data-do": "raw", "data-part": "raw" }, "Raw bytes"),
          )
        : h("span", { class: "quiet-note" }, "No JSON"),
      h("span", { class: "quiet-note" }, plural(new TextEncoder().encode(bytes).length, "byte")),
      copy(bytes, "the body"),
    ),
    h("pre", { class: raw ? "code-box wrap" : "code-box", tabindex: "0", role: "region", "aria-label": "Body", "data-part": "body" }, raw ? bytes : pretty),
  );
}

/** JSON with line breaks, every number as it was written: reading and writing again would round it. */
function indented(text) {
  let out = "";
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const token of text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []) {
    if (token === "{" || token === "[") {
      depth += 1;
      out += token + line();
    } else if (token === "}" || token === "]") {
      depth -= 1;
      out = out.trimEnd().endsWith(token === "}" ? "{" : "[") ? out.trimEnd() + token : out + line() + token;
    } else if (token === ",") {
      out += token + line();
    } else {
      out += token === ":" ? ": " : token;
    }
  }
  return out;
}

const headers = ({ headers: pairs, id }) =>
  card(
    "Headers",
    { class: "panel", key: `headers-${id}` },
    h(
      "dl",
      { class: "lines" },
      pairs
        .toSorted(([a], [b]) => b.startsWith("webhook-") - a.startsWith("webhook-"))
        .map(([name, value]) => h("div", { class: "line", "data-part": "header", "data-value": name }, h("dt", { class: "mono" }, name), h("dd", null, h("span", { class: "mono" }, value), copy(value, name)))),
    ),
    h("p", { class: "quiet-note" }, "Signed as Standard Webhooks says: HMAC-SHA256 over id.timestamp.body. The secret stands under World."),
  );
