import init from "{{glue}}";

const page = document.documentElement;
const theme = new URLSearchParams(location.search).get("theme");
// Before the first paint; the widget reads the same.
page.dataset.theme = theme === "LIGHT" || theme === "DARK" ? theme : "AUTO";

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

// The first fetch takes what the page has preloaded. A fetch that fails, or fails half-way, is a TypeError.
const start = async (tries) => {
  try {
    await init({ module_or_path: fetch("{{wasm}}") });
  } catch (error) {
    if (tries === 0 || !(error instanceof TypeError)) throw error;
    await pause(1500);
    await start(tries - 1);
  }
};

const fail = (error) => {
  console.error(error);
  document.getElementById("checkout").hidden = true;
  document.getElementById("failure").hidden = false;
  document.getElementById("reload").addEventListener("click", () => location.reload());
};

// A module that has trapped hears nothing any more: the page says so instead of looking alive.
const died = ({ error, reason }) => {
  const cause = error ?? reason;
  if (cause instanceof WebAssembly.RuntimeError) fail(cause);
};
addEventListener("error", died);
addEventListener("unhandledrejection", died);

start(2).then(() => {
  if (!document.querySelector("[data-screen]")) throw new Error("the checkout did not draw itself");
}).catch(fail);
