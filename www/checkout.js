import init, { start } from "checkout-widget";

// In milliseconds: until the module answers, and from then until it is whole.
const ANSWERS_WITHIN = 8_000;
const COMES_WITHIN = 20_000;

// In a dialog of embed.js, whose × stands in the first row.
if (window.name === "crypto-checkout-modal") document.documentElement.dataset.modal = "";

// The browser refuses the page's own style if a proxy has changed it.
if (!getComputedStyle(document.documentElement).getPropertyValue("--checkout-note")) {
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: STYLE_URL }));
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// The first fetch uses the response that the page preloads. A fetch that fails, or breaks off, throws a TypeError.
const load = async (tries) => {
  const abort = new AbortController();
  const { signal } = abort;
  const limit = (time) => setTimeout(() => abort.abort(), time);
  let timer = limit(ANSWERS_WITHIN);
  const module = fetch(WASM_URL, { signal }).then((response) => {
    clearTimeout(timer);
    timer = limit(COMES_WITHIN);
    return response;
  });
  try {
    await init({ module_or_path: module });
  } catch (error) {
    if (tries === 0 || !(signal.aborted || error instanceof TypeError)) throw error;
    await pause(1500);
    await load(tries - 1);
  } finally {
    clearTimeout(timer);
  }
};

// Keeps the server's markup: it is readable and its forms work. The watchdog reloads the page.
const drawn = document.getElementById("checkout").innerHTML;
const stayStatic = (error) => {
  console.error(error);
  window.notLive();
  if (!document.querySelector("[data-screen]")) document.getElementById("checkout").innerHTML = drawn;
};

// If an element is replaced while it is pressed, the browser fires no click. The click of a finger comes a while after it is lifted.
const CLICKS_WITHIN = 400;
let pressed = false;
let released;
let afterPress = () => {};
const press = () => {
  clearTimeout(released);
  pressed = true;
};
const release = ({ type, pointerType }) => {
  clearTimeout(released);
  // Runs after the click that follows.
  released = setTimeout(() => {
    pressed = false;
    afterPress();
  }, type === "pointerup" && pointerType === "touch" ? CLICKS_WITHIN : 0);
};
addEventListener("pointerdown", press, true);
// The space bar clicks when it is released.
addEventListener("keydown", ({ key }) => { if (key === " ") press(); }, true);
for (const end of ["pointerup", "pointercancel", "click", "keyup"]) addEventListener(end, release, true);
// Of the window alone: those of its elements do not bubble.
addEventListener("blur", release);
const notPressed = () => new Promise((done) => {
  if (pressed) afterPress = done;
  else done();
});

// A module that has trapped can no longer handle events.
const died = ({ error, reason }) => {
  const cause = error ?? reason;
  if (cause instanceof WebAssembly.RuntimeError) stayStatic(cause);
};

// The first wallet in this browser that announces itself (EIP-6963, TIP-6963) loads the code that asks it.
const offerWallets = () => {
  for (const standard of ["eip6963:", "TIP6963:"]) {
    addEventListener(`${standard}announceProvider`, () => { import(WALLET_URL).catch(console.warn); }, { once: true });
    dispatchEvent(new Event(`${standard}requestProvider`));
  }
};

load(2).then(notPressed).then(() => {
  addEventListener("error", died);
  addEventListener("unhandledrejection", died);
  start();
  document.documentElement.dataset.live = "yes";
  if (!document.querySelector("[data-screen]")) throw new Error("the checkout was not rendered");
  if (WALLET_URL) offerWallets();
}).catch(stayStatic);
