// The programs of the README, against a running sandbox: CHECKOUT_URL, CHECKOUT_TOKEN, CHECKOUT_SECRET; its business sends callbacks to PORT.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Checkout } from "@crypto-checkout/client";

const README = readFileSync("node_modules/@crypto-checkout/client/README.md", "utf8");

/** Starts the program of a section of the README. */
function start(name) {
  const [, program] = README.match(new RegExp(`^\`\`\`js ${name}\n(.*?)^\`\`\``, "ms"));
  writeFileSync(`${name}.mjs`, program);
  const child = spawn(process.execPath, [`${name}.mjs`], { stdio: ["ignore", "pipe", "inherit"] });
  after(() => child.kill());
  child.stdout.setEncoding("utf8");
  return child;
}

test("quick start", async () => {
  const child = start("quickstart");
  let output = "";
  child.stdout.on("data", (text) => (output += text));
  const [status] = await once(child, "close");
  assert.equal(status, 0);
  const lines = output.trimEnd().split("\n");
  assert.match(lines[0], /^Pay at http:\/\/127\.0\.0\.1:\d+\/checkout\/[0-9a-f-]{36}\?sessionToken=/);
  assert.equal(lines[1], "DEPOSITED");
  assert.match(lines[2], /^order-[0-9a-f-]{36} 100\.00 EUR$/);
  assert.match(lines.at(-1), /^PENDING ADDRESS 0\.001(00000)? BTC$/);
});

test("webhooks", async () => {
  const child = start("webhooks");
  while (!(await listens(Number(process.env.PORT)))) await sleep(50);

  const checkout = new Checkout({ baseUrl: process.env.CHECKOUT_URL, token: process.env.CHECKOUT_TOKEN });
  const order = { clientPaymentId: `order-${process.pid}`, locale: "en-US", displayCurrency: "EUR", displayAmount: "25.00" };
  const { paymentInfo } = await checkout.payments.create(order);
  const chosen = (await checkout.payments.choose(paymentInfo.paymentId, { depositCurrency: "ETH", network: "ETH" })).paymentInfo;
  await checkout.request("POST", "/sandbox/transfers", {
    body: { network: "ETH", currency: "ETH", address: chosen.walletAddress, amount: chosen.expectedDepositAmount },
  });
  await checkout.request("POST", "/sandbox/blocks", { body: { network: "ETH", count: 1 } });

  // Callbacks of the other test, which nobody received, may come first.
  let told = "";
  while (!told.includes(`${order.clientPaymentId} DEPOSITED\n`)) told += (await once(child.stdout, "data"))[0];
  const forged = await fetch(`http://127.0.0.1:${process.env.PORT}`, { method: "POST", body: "{}" });
  assert.equal(forged.status, 401);
});

function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}
