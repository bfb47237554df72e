// The package as npm installs it, in Node. `cargo xtask npm test` puts vectors.jsonl and expected.jsonl into
// this folder.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import * as api from "@crypto-checkout/core";

import { cases, lines } from "./cases.js";

const folder = new URL("./node_modules/@crypto-checkout/core/", import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), "utf8");
const bytes = readFileSync(new URL("core.wasm", folder));
const here = (name) => lines(readFileSync(new URL(name, import.meta.url), "utf8"));
const data = { vectors: here("vectors.jsonl"), expected: here("expected.jsonl") };

for (const { name, run } of cases) test(name, () => run(api, data));

test("the package contains exactly its files", () => {
  assert.deepEqual(readdirSync(folder).sort(), [
    "LICENSE", "README.md", "api.js", "browser.js", "core.wasm", "core.wasm.js", "index.d.ts", "inline.js", "node.js",
    "package.json", "worker.js",
  ]);
  const manifest = JSON.parse(read("package.json"));
  assert.match(manifest.version, /^\d+\.\d+\.\d+/);
  assert.deepEqual(Object.keys(manifest.exports["."]), ["types", "workerd", "node", "deno", "bun", "default"]);
  assert.deepEqual([manifest.dependencies, manifest.scripts], [undefined, undefined]);
});

test("importing it in Node needs neither init, Buffer nor fetch", async () => {
  const kept = [globalThis.Buffer, globalThis.fetch];
  delete globalThis.Buffer;
  delete globalThis.fetch;
  try {
    const again = await import(`${new URL("node.js", folder)}?again`);
    assert.equal(await again.init(), undefined);
    for (const { name, run } of cases.slice(0, 1)) assert.doesNotThrow(() => run(again, data), name);
  } finally {
    [globalThis.Buffer, globalThis.fetch] = kept;
  }
  assert.match(import.meta.resolve("@crypto-checkout/core"), /node\.js$/);
});

test("the entry with its module inlined is the same", async () => {
  const inline = await import("@crypto-checkout/core/inline");
  for (const { name, run } of cases) assert.doesNotThrow(() => run(inline, data), name);
  assert.equal(await inline.init(), undefined);
});

test("a caller names the table of pairs", () => {
  const request = { currency: "USDC", network: "POLYGON", address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" };
  const valid = (table) => api.validate({ ...request, options: { table } }).valid;
  assert.deepEqual([undefined, "all", "interface", "none"].map(valid), [true, true, false, false]);
});

test("the entries export the names in the types", async () => {
  const browser = await import(`${new URL("browser.js", folder)}`);
  const names = Object.keys(api).sort();
  const inline = await import("@crypto-checkout/core/inline");
  for (const entry of [browser, inline]) assert.deepEqual(Object.keys(entry).sort(), names);
  const declared = [...read("index.d.ts").matchAll(/^export (?:function|class) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual([...new Set(declared)].sort(), names);
});

test("the types list the core's codes", async () => {
  const { instance } = await WebAssembly.instantiate(bytes);
  const { describe, memory, output } = instance.exports;
  const length = describe();
  const words = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, output(), length)));
  const union = (name) => {
    const code = read("index.d.ts").replace(/\/\*\*.*?\*\//gs, "");
    const [, body] = code.match(new RegExp(`^export type ${name} =([^;]*);`, "m"));
    return [...body.matchAll(/"(\w+)"/g)].map(([, word]) => word).sort();
  };
  const [, members] = read("index.d.ts").match(/^export interface AddressOptions \{(.*?)^\}/ms);
  assert.deepEqual([...members.matchAll(/^  (\w+)\?:/gm)].map(([, name]) => name), ["table", ...words.options]);
  assert.deepEqual(union("Kind"), [...words.kinds].sort());
  assert.deepEqual(union("Reason"), [...words.reasons].sort());
  assert.deepEqual(union("Warning"), [...words.warnings].sort());
  assert.deepEqual(union("MemoType"), [...words.memoTypes].sort());
  assert.deepEqual(union("Network"), [...words.networks].sort());
  assert.deepEqual(union("Currency"), [...new Set(words.pairs.map(([currency]) => currency))].sort());
});

test("calls before init fail, and a failed load can be repeated", async () => {
  const { init, validate } = await import(`${new URL("browser.js", folder)}?fresh`);
  assert.throws(() => validate({}), { name: "CheckoutError", code: "not_initialized" });
  await assert.rejects(init(new Response("gone", { status: 404 })), /404/);
  await assert.rejects(init(new Uint8Array([1, 2, 3])), WebAssembly.CompileError);
  await Promise.all([init(bytes), init()]);
  assert.equal(await init(new Uint8Array()), undefined, "a loaded module stays");
  assert.equal(validate({ currency: "XRP", network: "XRP", address: "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY" }).valid, true);
});

test("every kind of module source is accepted", async () => {
  const type = (name) => ({ headers: { "content-type": name } });
  const sources = [
    new WebAssembly.Module(bytes), bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    new DataView(bytes.buffer, bytes.byteOffset, bytes.length), new Response(bytes, type("application/wasm")),
    Promise.resolve(new Response(bytes, type("text/plain"))), `data:application/wasm;base64,${bytes.toString("base64")}`,
  ];
  for (const [at, source] of sources.entries()) {
    const { currencies, init } = await import(`${new URL("browser.js", folder)}?source${at}`);
    await init(source);
    assert.deepEqual(currencies(), api.currencies(), String(at));
  }
});

test("calls work after the module's memory has grown", async () => {
  const { create } = await import(`${new URL("api.js", folder)}`);
  const { instance } = await WebAssembly.instantiate(bytes);
  const { connect, ...functions } = create();
  connect(instance);
  const check = cases.find(({ name }) => name.startsWith("a payment URI"));
  for (let round = 0; round < 3; round += 1) {
    instance.exports.memory.grow(1);
    check.run(functions, data);
  }
});

test("the examples in the README have the stated results", async () => {
  const examples = [...read("README.md").matchAll(/```js\n(.*?)```/gs)].map(([, code]) => code);
  let results = 0;
  for (const example of examples) {
    // `expression; // → value` becomes a comparison; everything else is unchanged.
    const code = example.replace(/^([^\s}].*?(?:\{\n(?:  .*\n)*?\}\))?); \/\/ → (.*)$/gm, (_, expression, value) => {
      results += 1;
      return `same(${expression}, ${value});`;
    });
    assert.ok(!code.includes("→"), code);
    const script = `import { deepStrictEqual as same } from "node:assert";\n${code}`
      .replaceAll('"@crypto-checkout/core"', JSON.stringify(import.meta.resolve("@crypto-checkout/core")));
    await import(`data:text/javascript,${encodeURIComponent(script)}`);
  }
  assert.ok(examples.length >= 8 && results >= 20, `${examples.length} examples, ${results} results`);
});

test("the wasm module has no imports", () => {
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(bytes)), []);
});
