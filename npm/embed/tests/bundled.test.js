// The example for React: rendered on a server, and bundled by Vite for the browser.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { build } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));
const quiet = { root, configFile: false, logLevel: "warn" };

test("a server renders the element with its attributes", async () => {
  await build({ ...quiet, build: { ssr: "server.tsx", outDir: "server", emptyOutDir: true } });
  const { page } = await import("./server/server.js");
  const html = await page("https://pay.example/checkout/1?sessionToken=a&theme=DARK");
  assert.equal(
    html,
    "null<main><crypto-checkout payment-url=\"https://pay.example/checkout/1?sessionToken=a&amp;theme=DARK\"></crypto-checkout></main>",
  );
});

test("Vite bundles the loader once", async () => {
  const input = ["page.html", "case.html"].map((name) => `${root}${name}`);
  await build({ ...quiet, build: { outDir: "dist", emptyOutDir: true, rollupOptions: { input } } });
  const scripts = readdirSync(`${root}dist/assets`).filter((name) => name.endsWith(".js"));
  const texts = scripts.map((name) => readFileSync(`${root}dist/assets/${name}`, "utf8"));
  assert.equal(texts.filter((text) => text.includes("CheckoutLoadError")).length, 1, scripts.join(" "));
});
