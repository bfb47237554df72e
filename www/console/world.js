// Chains, clock, rates, and what a program needs to speak to the gateway.
import { COINS, FIATS } from "./codes.js";
import { TOKEN } from "./curl.js";
import { h } from "./dom.js";
import { button, card, chain, coin, fact, field, input, select } from "./parts.js";
import { time } from "./play.js";
import { history } from "./requests.js";
import { state } from "./state.js";
import { terms } from "./terms.js";
import { plural, span } from "./words.js";


export function world() {
  const { chains = [], clockAheadSeconds = 0 } = state.overview ?? {};
  return h(
    "div",
    { class: "wide halves", key: "world" },
    h("div", { class: "column" }, simulated(chains), terms()),
    h(
      "div",
      { class: "column" },
      card(
        "Clock",
        { class: "panel" },
        h("p", { class: "quiet-note" }, clockAheadSeconds === 0 ? "As this machine's. It only goes forward, for all payments at once." : `${span(clockAheadSeconds)} ahead of this machine. It only goes forward, for all payments at once.`),
        time(null, "NEW", false),
      ),
      rates(),
      credentials(),
      history(),
    ),
  );
}

const simulated = (chains) =>
  card(
    "Chains",
    { class: "panel" },
    h(
      "ul",
      { class: "cells" },
      chains.map(({ network, name, height, pending, finality }) =>
        h(
          "li",
          { class: "cell chain", key: network, "data-part": "chain", "data-value": network },
          h(
            "span",
            { class: "with-coin" },
            chain(network),
            h("span", null, h("strong", null, name), h("small", null, `block ${height} · ${pending === 0 ? "nothing waits" : `${plural(pending, "transfer")} waiting`}${finality > 1 ? ` · final after ${finality}` : ""}`)),
          ),
          h(
            "div",
            { class: "acts" },
            button("mine", "Mine", { sign: "block", "data-network": network, "aria-label": `Mine a block on ${name}` }),
            button("reorganise", "Reorganise", { sign: "fork", "data-network": network, "aria-label": `Reorganise ${name} by one block`, "aria-disabled": height === 0 && "true" }),
          ),
        ),
      ),
    ),
  );

function rates() {
  const now = state.rates?.rates.find(({ from }) => from === state.rates.from);
  return card(
    "Rates",
    { class: "panel" },
    h("p", { class: "quiet-note" }, "They are fixed until they are set; what is quoted keeps its rate while that holds."),
    state.rates &&
      h(
        "ul",
        { class: "rates" },
        state.rates.rates.map(({ from, rate }) => h("li", { key: from }, h("span", { class: "with-coin" }, coin(from), from), h("span", { "data-part": "known-rate", "data-value": `${from}/${rate}` }, `${rate} ${state.rates.to}`))),
      ),
    h(
      "form",
      { class: "grid", "data-form": "rate" },
      field("One", select("from", COINS.map((code) => [code, code]), "BTC", { "data-part": "rate-from" })),
      field("Costs in", select("to", FIATS.map((code) => [code, code]), "EUR", { "data-part": "rate-to" })),
      field("Rate", input("rate", { inputmode: "decimal", required: true, "data-part": "rate" }), { hint: now ? `now ${now.rate} ${now.to} per ${now.from}` : "" }),
      h("button", { class: "act plain", "data-part": "set-rate" }, "Set the rate"),
    ),
  );
}

function credentials() {
  const shown = state.credentials;
  return card(
    "Credentials",
    { class: "panel" },
    shown
      ? h(
          "dl",
          { class: "lines" },
          fact("Gateway", shown.baseUrl, { text: shown.baseUrl, mono: true }),
          fact("Business id", shown.businessId, { text: shown.businessId, mono: true }),
          fact("Business token", shown.businessToken, { text: shown.businessToken, mono: true, part: "token" }),
          fact("Callback secret", shown.callbackSecret, { text: shown.callbackSecret, mono: true }),
          fact("For a shell", `export ${TOKEN}=…`, { text: `export ${TOKEN}=${shown.businessToken}`, mono: true }),
        )
      : h("div", { class: "acts" }, h("p", { class: "quiet-note" }, "For your back end: the token speaks for the sandbox's business, the secret signs its callbacks."), button("reveal", "Show them", { sign: "key", "data-part": "reveal" })),
  );
}

