// The package by `require`.
const assert = require("node:assert/strict");
const { test } = require("node:test");
const { Checkout, CheckoutError, verifyWebhook } = require("@crypto-checkout/client");

test("require", () => {
  assert.equal(typeof verifyWebhook, "function");
  assert.ok(new Checkout({ baseUrl: "http://127.0.0.1:1", token: "t" }).payments);
  assert.ok(new CheckoutError("what") instanceof Error);
});
