// Stands in the page itself, so that it runs whatever becomes of the script. A page that nothing keeps up to date says so, and
// reloads itself, as it does without script; the start of the module ends that. `data-live` of the root is "no" in the server's
// page, "starting" from here on, and "yes" while the module runs.

const STARTS_WITHIN = 12_000;
const RELOADS_EVERY = 15_000;

const { dataset } = document.documentElement;
const isLive = () => dataset.live === "yes";
let reloading;

// A page that can be read is not given up for an error: it reloads once its own address answers.
const reload = () => {
  if (isLive()) {
    clearInterval(reloading);
    reloading = undefined;
  } else {
    fetch(location.href, { method: "HEAD" }).then(({ ok }) => ok && !isLive() && location.reload(), () => {});
  }
};

window.notLive = () => {
  dataset.live = "no";
  dataset.reloads = "";
  reloading ??= setInterval(reload, RELOADS_EVERY);
};

dataset.live = "starting";
setTimeout(() => isLive() || window.notLive(), STARTS_WITHIN);

// A page that embeds this one hears from here what the module would tell it (docs/guides/embedding.md, "The protocol").
addEventListener("message", ({ source, origin, data }) => {
  if (dataset.live !== "no" || source === window || source !== parent || data?.type !== "hello") return;
  const { view } = JSON.parse(document.getElementById("checkout-data").textContent).found;
  const { protocol, version, instance } = data;
  if (protocol !== "crypto-checkout" || version !== 1 || !view?.allowedOrigins.includes(origin)) return;
  const say = (type, more) => source.postMessage({ protocol, version, instance, type, ...more }, origin);
  const { paymentId, status, redirectUrl } = view.payment;
  const isComplete = document.querySelector("[data-screen=paid], [data-screen=overpaid], [data-screen=paid-twice]");
  say("ready");
  say("resize", { height: document.getElementById("checkout").getBoundingClientRect().height });
  say("status", { paymentId, status });
  // The payer reads the rest of such a payment, and is not sent away.
  const stays = view.claims?.length || isComplete?.dataset.screen === "paid-twice";
  if (isComplete) say("complete", { paymentId, status, ...(!stays && redirectUrl && { redirectUrl }) });
});

// A script that does not load, or that cannot be read. The events of elements do not bubble.
addEventListener("error", ({ target }) => {
  if (!isLive() && (target === window || target.localName === "script")) window.notLive();
}, true);
