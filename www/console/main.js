// The loop that asks, the drawing of what is known, and the hand-over of clicks.
import { Gone, Problem, get, now, requests } from "./api.js";
import { clicks, forms, preview } from "./actions.js";
import { curl } from "./curl.js";
import { detail } from "./detail.js";
import { h, icon, morph } from "./dom.js";
import { heldCount } from "./held.js";
import { inbox } from "./inbox.js";
import { list } from "./list.js";
import { money } from "./money.js";
import { button } from "./parts.js";
import { sheet } from "./sheet.js";
import { closed, routeOf, state } from "./state.js";
import { clock, span } from "./words.js";
import { world } from "./world.js";

/** Between two questions, in milliseconds: while the page is looked at, while it is not, and while nobody answers. */
const [EAGER, HIDDEN, LOST] = [1_000, 5_000, 2_000];

const VIEWS = { payments: ["Payments", "list"], inbox: ["Inbox", "inbox"], money: ["Money", "wallet"], world: ["World", "world"] };

const root = document.getElementById("console");

function draw() {
  const { view, id } = state.route;
  const fresh = h(
    "div",
    { id: "console", class: `console ${view}${id ? " chosen" : ""}` },
    top(),
    connection(),
    h("main", { class: ["money", "world"].includes(view) ? "plain" : "split", key: view }, h("h1", { class: "offscreen" }, VIEWS[view][0]), body(view)),
    sheet(),
    toast(),
  );
  morph(root, fresh);
  for (const bar of root.querySelectorAll("[data-share]")) bar.style.inlineSize = `${bar.dataset.share}%`;
  const dialog = root.querySelector("dialog");
  if (state.form.name && !dialog.open) dialog.showModal();
  if (!state.form.name && dialog.open) dialog.close();
  const title = state.detail && view === "payments" ? `${state.detail.payment.clientPaymentId} · ` : "";
  document.title = `${title}${VIEWS[view][0]} · Sandbox console`;
}

function body(view) {
  if (view === "payments") return [list(), detail()];
  if (view === "inbox") return inbox();
  return view === "money" ? money() : world();
}

function top() {
  const ahead = state.overview?.clockAheadSeconds ?? 0;
  return h(
    "header",
    { class: "top", key: "top" },
    h("div", { class: "brand" }, icon("sandbox"), h("strong", null, "Sandbox console"), h("span", { class: "brand-note" }, "simulated chains, no real money")),
    h(
      "nav",
      { class: "nav", "aria-label": "Views" },
      Object.entries(VIEWS).map(([view, [label, sign]]) =>
        h("a", { href: `#/${view}`, key: view, "aria-current": state.route.view === view && "page", "data-part": "view", "data-value": view }, icon(sign), h("span", null, label), view === "money" && heldBadge()),
      ),
    ),
    h(
      "p",
      { class: "gateway-clock", title: "The gateway's clock" },
      icon("clock"),
      h("span", { "data-part": "clock" }, state.connected === null ? "–" : clock(now())),
      ahead > 0 && h("span", { class: "pill warn", "data-part": "ahead", "data-value": ahead }, `+${span(ahead)}`),
    ),
    button("new", ["New", h("span", { class: "from-tablet" }, " payment")], { sign: "plus", tone: "primary", "data-part": "new" }),
  );
}

/** How many deposits wait for a decision. */
function heldBadge() {
  const count = heldCount();
  return count > 0 && h("span", { class: "pill warn", "data-part": "held-count", "data-value": count }, String(count), h("span", { class: "offscreen" }, " held"));
}

function connection() {
  const lost = state.connected === false;
  return h(
    "p",
    { class: lost ? "lost" : "lost fine", key: "connection", role: "status", "data-part": "connection", "data-value": lost ? "offline" : "online" },
    lost && [icon("offline"), h("span", null, `The gateway does not answer${state.answeredAt ? ` since ${clock(state.answeredAt)}` : ""}. This page keeps asking and goes on by itself.`)],
  );
}

function toast() {
  const { message } = state;
  return h(
    "div",
    { class: "toasts", key: "toasts" },
    message &&
      h(
        "div",
        { class: message.bad ? "toast bad" : "toast", key: message.key, "data-part": "message", "data-value": message.bad ? "bad" : "good" }, 
        icon(message.bad ? "warning" : "check"),
        h("span", null, message.text),
        message.curl && h("button", { type: "button", class: "toast-act", "data-do": "copy", "data-text": message.curl, "data-part": "curl" }, "Copy as curl"),
        h("button", { type: "button", class: "toast-act", "data-do": "dismiss", "aria-label": "Dismiss" }, icon("cross")),
      ),
  );
}

let count = 0;

/** Shows what was done; ears hear it from a region that is there from the start. */
function say(text, bad = false, line = null) {
  count += 1;
  state.message = { text, bad, curl: line, key: `message-${count}` };
  document.getElementById("said").textContent = text;
  const mine = count;
  setTimeout(() => {
    if (count !== mine || bad) return;
    state.message = null;
    draw();
  }, line ? 8_000 : 4_000);
}

/** Asks for all that the view shows. */
async function look() {
  const { view, id } = state.route;
  const wanted = [get("/sandbox/overview").then((overview) => (state.overview = overview))];
  if (view === "payments") {
    const query = new URLSearchParams({ limit: 50 });
    if (state.status) query.set("status", state.status);
    if (state.search) query.set("search", state.search);
    wanted.push(get(`/sandbox/payments?${query}`).then((payments) => listed(payments, query)));
    if (id) wanted.push(get(`/sandbox/payments/${id}`).then((shown) => here(id, () => Object.assign(state, { detail: shown, detailMissing: false })), (error) => missing(id, error)));
  }
  if (view === "inbox") wanted.push(get("/sandbox/inbox?limit=100").then((deliveries) => (state.inbox = deliveries)));
  await Promise.all(wanted);
}

/** An answer that comes after the reader went on changes nothing. */
function here(id, change) {
  if (state.route.id === id) change();
}

function missing(id, error) {
  if (!(error instanceof Problem && error.status === 404)) throw error;
  here(id, () => Object.assign(state, { detail: null, detailMissing: true }));
}

function listed(payments, query) {
  if ((query.get("status") ?? "") !== state.status || (query.get("search") ?? "") !== state.search) return;
  if (state.older.length === 0) state.moreToCome = payments.length === 50;
  const known = new Set(payments.map(({ paymentId }) => paymentId));
  state.older = state.older.filter(({ paymentId }) => !known.has(paymentId));
  state.payments = payments;
}

let timer;
let asking = null;

/** Asks now, and again for ever: whatever happens, the next time is set. */
function poll() {
  clearTimeout(timer);
  asking ??= look()
    .then(
      () => Object.assign(state, { connected: true, answeredAt: now() }),
      (error) => {
        state.connected = !(error instanceof Gone);
        if (!(error instanceof Gone)) say(error.message, true);
      },
    )
    .finally(() => {
      asking = null;
      clearTimeout(timer);
      timer = setTimeout(poll, state.connected ? (document.hidden ? HIDDEN : EAGER) : LOST);
      draw();
    });
  return asking;
}

/** After something was done: what is asked for already may be from before. */
async function refresh() {
  await asking;
  await poll();
}

async function run(name, deed) {
  if (state.busy.has(name)) return;
  state.busy.add(name);
  draw();
  const before = requests[0];
  try {
    const done = await deed();
    if (done) say(done, false, requests[0] === before ? null : curl(requests[0], location.origin));
  } catch (error) {
    if (name === state.form.name && error instanceof Problem) {
      state.form.faults = error.faults.length > 0 ? error.faults : [{ pointer: "", detail: error.message }];
      draw();
      root.querySelector("dialog [aria-invalid]")?.focus();
    } else {
      say(error instanceof Gone ? "The gateway does not answer. Try again when it is back." : error.message, true);
    }
  } finally {
    state.busy.delete(name);
    draw();
  }
  await refresh();
}

/** How long somebody who types is left alone, in milliseconds. */
const PAUSE = 250;
let typing;

/** What is typed into the form of a withdrawal is priced after a pause. */
function price(form) {
  clearTimeout(typing);
  const values = Object.fromEntries(new FormData(form));
  state.form.values = values;
  draw();
  if (state.form.name !== "withdraw" || values.targetAmount.trim() === "") return;
  typing = setTimeout(() => preview(values).catch(() => {}).finally(draw), PAUSE);
}

root.addEventListener("click", (event) => {
  const target = event.target.closest("[data-do]");
  if (!target || target.getAttribute("aria-disabled") === "true") return;
  const { do: action } = target.dataset;
  // Opening a form is not the sending of it.
  run(Object.hasOwn(forms, action) ? `open ${action}` : action, () => clicks[action](target.dataset));
});

root.addEventListener("submit", (event) => {
  event.preventDefault();
  const { form } = event.target.dataset;
  if (form === "filter") return;
  run(form, () => forms[form](Object.fromEntries(new FormData(event.target)), event.target.dataset));
});

root.addEventListener("input", (event) => {
  const form = event.target.closest("form");
  if (form?.dataset.form === "filter") {
    const { search, status } = Object.fromEntries(new FormData(form));
    Object.assign(state, { search: search.trim(), status, payments: null, older: [] });
    draw();
    refresh();
  }
  if (form?.closest("dialog")) price(form);
  if (form?.dataset.form === "rate" && event.target.name !== "rate") run("readRate", () => forms.readRate(Object.fromEntries(new FormData(form))));
});

root.addEventListener("close", () => {
  state.form = closed();
  draw();
}, true);

function go() {
  const before = state.route;
  state.route = routeOf(location.hash);
  const { view, id } = state.route;
  if (view !== before.view || id !== before.id) {
    if (view !== "payments" || id !== before.id) Object.assign(state, { detail: null, detailMissing: false });
    state.raw = false;
    // What was done well may be why the reader is here.
    if (state.message?.bad) state.message = null;
    state.form = closed();
  }
  draw();
  if (view !== before.view) scrollTo(0, 0);
  if (view === "world" && !state.rates) run("readRate", () => forms.readRate({ from: "BTC", to: "EUR" }));
  refresh().then(() => {
    // Where the list has made room for what was chosen, the reader starts at its top.
    const title = root.querySelector(".stage h2");
    if (id && id !== before.id && title && matchMedia("(max-width: 899px)").matches) {
      scrollTo(0, 0);
      title.focus();
    }
  });
}

addEventListener("hashchange", go);
for (const back of ["online", "pageshow", "focus"]) addEventListener(back, poll);
document.addEventListener("visibilitychange", poll);
setInterval(draw, 1_000);
go();
