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
  reloading ??= setInterval(reload, RELOADS_EVERY);
};

dataset.live = "starting";
setTimeout(() => isLive() || window.notLive(), STARTS_WITHIN);

// A script that does not load, or that cannot be read. The events of elements do not bubble.
addEventListener("error", ({ target }) => {
  if (!isLive() && (target === window || target.localName === "script")) window.notLive();
}, true);
