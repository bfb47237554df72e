// The package as npm installs it, in Node: the ES module, the CommonJS module, and their types.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";

import * as embed from "@crypto-checkout/embed";

const require = createRequire(import.meta.url);
const folder = new URL("./node_modules/@crypto-checkout/embed/", import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), "utf8");
const entries = { "the ES module": embed, "the CommonJS module": require("@crypto-checkout/embed") };

for (const [name, { CheckoutLoadError, loadCheckout }] of Object.entries(entries)) {
  test(`on a server ${name} returns null for any script`, async () => {
    for (const script of ["https://pay.example/embed.js", new URL("https://pay.example/embed.js"), "", "javascript:1", {}]) {
      assert.equal(await loadCheckout(script), null);
    }
    const error = new CheckoutLoadError("failed", "https://pay.example/embed.js", "could not be loaded.");
    assert.deepEqual(
      [error instanceof Error, error.name, error.code, error.script, error.message],
      [true, "CheckoutLoadError", "failed", "https://pay.example/embed.js", "https://pay.example/embed.js could not be loaded."],
    );
  });
}

test("each way of importing gets its own file, and both have the names of the types", () => {
  assert.match(import.meta.resolve("@crypto-checkout/embed"), /\/index\.mjs$/);
  assert.match(require.resolve("@crypto-checkout/embed"), /\/index\.js$/);
  const names = [...read("index.d.mts").matchAll(/^export (?:function|class) (\w+)/gm)].map(([, name]) => name).sort();
  for (const [name, entry] of Object.entries(entries)) {
    assert.deepEqual(Object.keys(entry).filter((key) => key !== "default").sort(), names, name);
  }
  assert.equal(read("index.d.ts"), read("index.d.mts"));
});

test("the package contains exactly its files, and depends on nothing", () => {
  const manifest = JSON.parse(read("package.json"));
  assert.deepEqual(readdirSync(folder).sort(), ["LICENSE", "README.md", "package.json", ...manifest.files].sort());
  assert.match(manifest.version, /^\d+\.\d+\.\d+/);
  assert.deepEqual([manifest.dependencies, manifest.scripts], [undefined, undefined]);
});
