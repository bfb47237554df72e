// What this page did last, as lines for a shell.
import { requests } from "./api.js";
import { TOKEN, asked, curl } from "./curl.js";
import { h } from "./dom.js";
import { card, copy, empty } from "./parts.js";
import { clock } from "./words.js";

export const history = () =>
  card(
    "What this page did",
    { class: "panel" },
    h("p", { class: "quiet-note" }, `Each click as a curl line. Where it speaks for the business, it reads the token from $${TOKEN}.`),
    requests.length === 0
      ? empty("terminal", "Nothing yet", "What is clicked here can be repeated in a shell.")
      : h(
          "ol",
          { class: "lines" },
          requests.map((request, at) => {
            const { method, path } = asked(request);
            return h(
              "li",
              { class: "request", key: `request-${requests.length - at}-${request.at}`, "data-part": "request" },
              h("time", { datetime: new Date(request.at * 1_000).toISOString() }, clock(request.at)),
              h("span", { class: "mono" }, h("b", null, method), ` ${path}`),
              copy(curl(request, location.origin), `${method} ${path} as curl`),
            );
          }),
        ),
  );
