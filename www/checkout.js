import init, { start } from "checkout-widget";

// In milliseconds: until the module answers, and from then until it is whole.
const ANSWERS_WITHIN = 8_000;
const COMES_WITHIN = 20_000;

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

// If an element is replaced while it is pressed, the browser fires no click.
let pressed = false;
let afterPress = () => {};
addEventListener("pointerdown", () => { pressed = true; }, true);
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => {
    pressed = false;
    // Runs after the click that follows.
    setTimeout(() => afterPress());
  }, true);
}
const notPressed = () => new Promise((done) => {
  if (pressed) afterPress = done;
  else done();
});

// A module that has trapped can no longer handle events.
const died = ({ error, reason }) => {
  const cause = error ?? reason;
  if (cause instanceof WebAssembly.RuntimeError) stayStatic(cause);
};

// The first wallet in this browser that announces itself (EIP-6963) loads the code that asks it.
const offerWallets = () => {
  addEventListener("eip6963:announceProvider", () => { import(WALLET_URL).catch(console.warn); }, { once: true });
  dispatchEvent(new Event("eip6963:requestProvider"));
};

load(2).then(notPressed).then(() => {
  addEventListener("error", died);
  addEventListener("unhandledrejection", died);
  start();
  document.documentElement.dataset.live = "yes";
  if (!document.querySelector("[data-screen]")) throw new Error("the checkout was not rendered");
  offerWallets();
}).catch(stayStatic);
