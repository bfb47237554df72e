import init, { start } from "checkout-widget";

const RELOAD_AFTER = 15_000;

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// The first fetch takes what the page has preloaded. A fetch that fails, or fails half-way, is a TypeError.
const load = async (tries) => {
  try {
    await init({ module_or_path: fetch(WASM_URL) });
  } catch (error) {
    if (tries === 0 || !(error instanceof TypeError)) throw error;
    await pause(1500);
    await load(tries - 1);
  }
};

// What the server drew stays: it can be read and its forms work. The browser reloads it, as it does without script.
const drawn = document.getElementById("checkout").innerHTML;
const stayStatic = (error) => {
  console.error(error);
  document.documentElement.dataset.live = "no";
  document.getElementById("not-live").hidden = false;
  if (!document.querySelector("[data-screen]")) document.getElementById("checkout").innerHTML = drawn;
  setTimeout(() => location.reload(), RELOAD_AFTER);
};

// A press that ends after its element was replaced would be no click.
let pressed = false;
let afterPress = () => {};
addEventListener("pointerdown", () => { pressed = true; }, true);
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => {
    pressed = false;
    // After the click that follows.
    setTimeout(() => afterPress());
  }, true);
}
const notPressed = () => new Promise((done) => {
  if (pressed) afterPress = done;
  else done();
});

// A button that only the script serves was clicked before the script ran.
let early = null;
const keepEarly = ({ target }) => {
  early = target.closest?.("button[type=button][data-part]")?.dataset.part ?? null;
};
addEventListener("click", keepEarly);

// A module that has trapped hears nothing any more.
const died = ({ error, reason }) => {
  const cause = error ?? reason;
  if (cause instanceof WebAssembly.RuntimeError) stayStatic(cause);
};

load(2).then(notPressed).then(() => {
  addEventListener("error", died);
  addEventListener("unhandledrejection", died);
  start();
  if (!document.querySelector("[data-screen]")) throw new Error("the checkout did not draw itself");
  removeEventListener("click", keepEarly);
  if (early) document.querySelector(`[data-part="${early}"]`)?.click();
}).catch(stayStatic);
