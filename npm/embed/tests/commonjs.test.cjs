// A CommonJS program.

const assert = require("node:assert/strict");
const { test } = require("node:test");

const { loadCheckout } = require("@crypto-checkout/embed");

test("a CommonJS program requires the loader, and gets null", async () => {
  assert.equal(await loadCheckout("https://pay.example/embed.js"), null);
  assert.equal(typeof window, "undefined");
});
