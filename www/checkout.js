import init, { start } from "checkout-widget";

const RELOAD_AFTER = 15_000;

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// The first fetch uses the response that the page preloads. A fetch that fails, or breaks off, throws a TypeError.
const load = async (tries) => {
  try {
    await init({ module_or_path: fetch(WASM_URL) });
  } catch (error) {
    if (tries === 0 || !(error instanceof TypeError)) throw error;
    await pause(1500);
    await load(tries - 1);
  }
};

// Keeps the server's markup: it is readable and its forms work. The page reloads itself, as it does without script.
const drawn = document.getElementById("checkout").innerHTML;
const stayStatic = (error) => {
  console.error(error);
  document.documentElement.dataset.live = "no";
  document.getElementById("not-live").hidden = false;
  if (!document.querySelector("[data-screen]")) document.getElementById("checkout").innerHTML = drawn;
  setTimeout(() => location.reload(), RELOAD_AFTER);
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

// The last click, before the script ran, on a button that needs the script.
let early = null;
const keepEarly = ({ target }) => {
  early = target.closest?.("button[type=button][data-part]")?.dataset.part ?? null;
};
addEventListener("click", keepEarly);

// A module that has trapped can no longer handle events.
const died = ({ error, reason }) => {
  const cause = error ?? reason;
  if (cause instanceof WebAssembly.RuntimeError) stayStatic(cause);
};

load(2).then(notPressed).then(() => {
  addEventListener("error", died);
  addEventListener("unhandledrejection", died);
  start();
  document.documentElement.dataset.live = "yes";
  if (!document.querySelector("[data-screen]")) throw new Error("the checkout was not rendered");
  removeEventListener("click", keepEarly);
  if (early) document.querySelector(`[data-part="${early}"]`)?.click();
}).catch(stayStatic);
