// Runs in the browser and sends its results to the server.

import { cases, lines, same } from "/cases.js";

const entry = new URLSearchParams(location.search).get("entry");
const results = [];

async function check(name, run) {
  try {
    await run();
    results.push({ name });
  } catch (error) {
    results.push({ name, error: String(error?.stack ?? error) });
  }
}

const fetched = async (name) => lines(await (await fetch(name)).text());
const example = { currency: "XRP", network: "XRP", address: "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY" };
const api = await import(entry);

await check("before init the error tells the developer to call it", () => {
  let code;
  try {
    api.validate(example);
  } catch (error) {
    code = error.code;
  }
  same(code, "not_initialized", "code");
});
await check("init loads the module next to the scripts, once", async () => {
  await Promise.all([api.init(), api.init()]);
  same(api.validate(example).valid, true, "valid");
  const requests = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("/core.wasm"));
  same(requests.length, 1, "requests");
});
await check("a module with another content type is loaded too", async () => {
  const again = await import(`${entry}?plain`);
  await again.init("/plain/core.wasm");
  same(again.isValid(example), true, "valid");
});
await check("a missing module is an error, and the next init tries again", async () => {
  const again = await import(`${entry}?retry`);
  let message;
  await again.init("/no/core.wasm").catch((error) => { message = error.message; });
  same(message?.includes("404"), true, message);
  await again.init();
  same(again.isValid(example), true, "valid");
});

const data = { vectors: await fetched("/vectors.jsonl"), expected: await fetched("/expected.jsonl") };
for (const { name, run } of cases) await check(name, () => run(api, data));

await fetch("/results", { method: "POST", body: JSON.stringify({ agent: navigator.userAgent, results }) });
