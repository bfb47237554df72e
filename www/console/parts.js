// What several views are made of.
import { h, icon } from "./dom.js";
import { state } from "./state.js";

/** Shape and word of a state. */
export const badge = (kind, part, value) =>
  h("span", { class: `state ${kind.tone}`, "data-part": part, "data-value": value }, icon(kind.icon), kind.word);

/** A button that names its action; `more` are further attributes. */
export const button = (action, label, { sign, tone = "plain", ...more } = {}) =>
  h(
    "button",
    { type: "button", class: `act ${tone}`, "data-do": action, "aria-disabled": state.busy.has(action) && "true", ...more },
    sign && icon(sign),
    h("span", null, label),
  );

/** Copies `text`; `what` says for ears what that is. */
export const copy = (text, what) =>
  h(
    "button",
    { type: "button", class: "mini", "data-do": "copy", "data-text": text, "aria-label": `Copy ${what}`, title: `Copy ${what}` },
    icon("copy"),
  );

/** A row of a list of facts. Long texts break, short ones stay. */
export const fact = (label, value, { text, part, mono } = {}) =>
  h(
    "div",
    { class: "line" },
    h("dt", null, label),
    h(
      "dd",
      null,
      h("span", { class: mono ? "mono" : null, "data-part": part, "data-value": text }, value),
      text && copy(text, label.toLowerCase()),
    ),
  );

export const card = (title, attributes, ...children) =>
  h("section", { class: "panel", key: title, "aria-label": title, ...attributes }, h("h3", null, title), children);

export const summary = (text) => h("summary", null, h("span", null, text), icon("chevron-down"));

/** What is wrong with a field of the form in the dialog, in the gateway's words. */
export const fault = (name) => state.form.faults.find(({ pointer }) => pointer === `/${name}`)?.detail;

export function field(label, control, { hint, fault } = {}) {
  const input = control.querySelector("select") ?? control;
  if (fault) input.setAttribute("aria-invalid", "true");
  return h(
    "label",
    { class: fault ? "field wrong" : "field", key: `field-${input.name}` },
    h("span", { class: "field-label" }, label),
    control,
    fault ? h("span", { class: "field-fault", "data-part": "field-fault" }, fault) : hint && h("span", { class: "field-hint" }, hint),
  );
}

export const select = (name, options, chosen, more = {}) =>
  h(
    "span",
    { class: "pick" },
    h(
      "select",
      { name, ...more },
      options.map(([value, label]) => h("option", { value, selected: value === chosen }, label)),
    ),
    icon("chevron-down"),
  );

export const input = (name, more = {}) => h("input", { name, autocomplete: "off", spellcheck: "false", ...more });

/** Where nothing is yet. */
export const empty = (sign, title, text, ...more) =>
  h("div", { class: "empty", key: `empty-${title}` }, icon(sign), h("p", { class: "empty-title" }, title), h("p", null, text), more);

export const coin = (code) => icon(code.toLowerCase(), "coin");
export const chain = (code) => icon(`net-${code.toLowerCase()}`, "coin");
