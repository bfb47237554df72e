// A shop with the payment provider: the real server of Medusa, and a sandbox gateway.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import medusaProvider from "@crypto-checkout/medusa";
import { checkout, choose, mine, parts, relay, rows, sandbox, send, webhook } from "./gateway.mjs";
import { customer, log, open, until } from "./shop.mjs";

const WEBHOOKS = `http://127.0.0.1:${process.env.PORT}/hooks/payment/crypto-checkout`;
let shop, gateway;

before(async () => {
  gateway = await relay();
  shop = await open({ CHECKOUT_RELAY: gateway.url });
});
after(() => {
  shop?.close();
  gateway?.close();
});

/** The order as the merchant sees it. */
async function seen(id) {
  const fields = "id,payment_status,*summary,*payment_collections.payments,*payment_collections.payments.captures,*payment_collections.payments.refunds";
  return (await shop.admin("GET", `orders/${id}?fields=${fields}`)).order;
}

const paid = (id) => until("the order is paid", async () => (await seen(id)).payment_status === "captured" && seen(id));
const payments = (order) => order.payment_collections.flatMap((collection) => collection.payments);

/** As Medusa calls it. */
function provider() {
  const { CHECKOUT_TOKEN: token, CHECKOUT_SECRET: secret } = process.env;
  const [Provider] = medusaProvider.services;
  return new Provider({ logger: console }, { url: gateway.url, token, secret });
}

/** The order that comes because of it. */
async function newOrder(happens) {
  const orders = async () => (await shop.admin("GET", "orders?fields=id")).orders.map((order) => order.id);
  const known = new Set(await orders());
  await happens();
  return until("a new order", async () => (await orders()).find((id) => !known.has(id)));
}

async function paidOrder() {
  const buyer = await customer(shop);
  const { data } = await buyer.session();
  await send(await choose(data.paymentId));
  await mine();
  const { id } = await until("the cart is complete", buyer.complete);
  const [payment] = payments(await paid(id));
  return { id, payment, paymentId: data.paymentId };
}

test("a part of the price is no order, all of it is one, and its block pays it", async () => {
  const buyer = await customer(shop);
  const { id, data } = await buyer.session();
  assert.equal((await fetch(data.paymentUrl)).status, 200);
  const created = await checkout.payments.get(data.paymentId);
  assert.equal(created.clientPaymentId, id);
  assert.deepEqual([created.displayCurrency, created.expectedDisplayAmount], ["EUR", "25.55"]);
  assert.equal(created.redirectUrl, `http://127.0.0.1:8000/checkout/return?session_id=${id}`);
  assert.deepEqual([data.amount, data.received, data.missing, data.refunds], ["25.55", "0.00", "25.55", []]);

  const asked = await choose(data.paymentId);
  const [first, rest] = parts(asked, 40);
  await send(asked, first);
  await mine();
  assert.equal(await buyer.complete(), undefined);
  const part = await buyer.data();
  assert.ok(Math.abs(part.received - 25.55 * 0.4) < 0.02 && Math.abs(part.missing - 25.55 * 0.6) < 0.02, JSON.stringify(part));
  assert.equal(part.coin.amount, asked.expectedDepositAmount);

  await send(asked, rest);
  const order = await buyer.complete();
  assert.ok(order, "everything was sent");
  assert.notEqual((await seen(order.id)).payment_status, "captured");
  await mine();
  const [payment] = payments(await paid(order.id));
  assert.equal(payment.amount, 25.55);
});

test("coins on a network that the merchant does not take are no part of the price", async () => {
  const buyer = await customer(shop);
  const { data } = await buyer.session();
  const asked = await choose(data.paymentId, { depositCurrency: "USDT", network: "ETH" });
  const [first, rest] = parts(asked, 4);
  await send(asked, first);
  await send(asked, rest, "BSC");
  const { status, deposits } = await checkout.payments.get(data.paymentId);
  assert.deepEqual([status, deposits.map((one) => one.hold)], ["AWAITING", [undefined, "NETWORK"]]);
  assert.equal(await buyer.complete(), undefined);
  assert.equal(Number((await buyer.data()).coin.missing), Number(rest));
});

test("the webhook completes the cart of a customer who does not come back", async () => {
  const buyer = await customer(shop);
  const { data } = await buyer.session();
  await send(await choose(data.paymentId));
  await paid(await newOrder(mine));
});

test("a session is paid and ended by its own payment alone", async () => {
  const { payment: { data: paid } } = await paidOrder();
  const buyer = await customer(shop);
  const { id, data } = await buyer.session();
  const authorize = (data, session) => provider().authorizePayment({ data, context: { idempotency_key: session } });
  for (const [forged, session] of [[{ paymentId: paid.paymentId }, id], [paid, id], [paid, undefined]]) {
    await assert.rejects(authorize(forged, session), /is not that of session/);
  }
  assert.equal((await authorize(data, id)).status, "pending");

  await provider().deletePayment({ data: { paymentId: data.paymentId, mark: paid.mark } });
  assert.equal((await checkout.payments.get(data.paymentId)).cancelledAt, undefined);
  await provider().deletePayment({ data });
  assert.ok((await checkout.payments.get(data.paymentId)).cancelledAt);
});

test("half is refunded, then the rest, and no more", async () => {
  const { id, payment, paymentId } = await paidOrder();
  await shop.admin("POST", `payments/${payment.id}/refund`, { amount: 12.5 });
  await shop.admin("POST", `payments/${payment.id}/refund`, { amount: 13.05 });
  assert.equal((await shop.tried("POST", `payments/${payment.id}/refund`, { amount: 0.01 })).status, 400);

  const [refunded] = payments(await seen(id));
  const ids = refunded.refunds.map((refund) => refund.id).sort();
  assert.equal(ids.length, 2);
  const made = await rows(checkout.refunds.list({ paymentId }));
  assert.deepEqual(made.map((refund) => refund.clientRefundId).sort(), ids);
  assert.deepEqual(made.map((refund) => refund.waitingFor), ["ADDRESS", "ADDRESS"]);
  const session = (await checkout.payments.get(paymentId)).metadata.session_id;
  const again = provider().authorizePayment({ data: refunded.data, context: { idempotency_key: session } });
  await assert.rejects(again, /was given back/);
  await provider().deletePayment({ data: refunded.data });
  const links = refunded.data.refunds.map((refund) => refund.claimUrl);
  assert.equal((await fetch(links[0])).status, 200);

  for (const { refundId } of made) await checkout.refunds.address(refundId, { address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" });
  await until("both are confirmed", async () => {
    await mine(10);
    return (await rows(checkout.refunds.list({ paymentId }))).every((refund) => refund.status === "CONFIRMED");
  });
});

test("what Medusa gave back sells nothing, and sells again when the refund is cancelled", async () => {
  const { payment, paymentId } = await paidOrder();
  const action = async () => (await provider().getWebhookActionAndData(webhook({ type: "payment.status", data: { paymentId } }))).action;
  assert.equal(await action(), "captured");
  await shop.admin("POST", `payments/${payment.id}/refund`, { amount: 12.5 });
  assert.equal(await action(), "not_supported");
  const [{ refundId }] = await rows(checkout.refunds.list({ paymentId }));
  assert.equal((await checkout.refunds.cancel(refundId)).status, "CANCELLED");
  assert.equal(await action(), "captured");
});

test("a coin that has lost value goes back whole, and the same refund again is the same", async () => {
  const { payment, paymentId } = await paidOrder();
  const [{ rate }] = await checkout.request("GET", "/api/v1/rates", { query: { from: "BTC", to: "EUR" } });
  await sandbox("rates", { from: "BTC", to: "EUR", rate: rate / 2 });
  await shop.admin("POST", `payments/${payment.id}/refund`, { amount: 25.55 });
  await sandbox("rates", { from: "BTC", to: "EUR", rate });
  const [refund] = await rows(checkout.refunds.list({ paymentId }));
  const [deposit] = (await checkout.payments.get(paymentId)).deposits;
  assert.equal(refund.amount, deposit.depositAmount);

  const context = { idempotency_key: refund.clientRefundId };
  const { data } = await provider().refundPayment({ amount: 25.55, data: { paymentId, refunds: [] }, context });
  assert.equal(data.refunds[0].refundId, refund.refundId);
  assert.equal((await rows(checkout.refunds.list({ paymentId }))).length, 1);
});

test("a gateway that is down delays an order, a wrong signature makes none, a repeated webhook changes nothing", async () => {
  const buyer = await customer(shop);
  const { data } = await buyer.session();
  const asked = await choose(data.paymentId);
  // Where its first webhook is lost, the next one of its transfer makes the order, though the customer does not come back.
  const id = await newOrder(async () => {
    await send(asked);
    gateway.isDown = true;
    await mine();
    await until("the webhook found no gateway", () => log().includes("no answer"));
    assert.equal(await buyer.complete(), undefined);
    gateway.isDown = false;
    await mine(10);
  });

  const headers = {
    "content-type": "application/json", "webhook-id": "forged", "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
    "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")}`,
  };
  const forged = randomUUID();
  const body = JSON.stringify({ type: "payment.status", data: { paymentId: forged, status: "DEPOSITED" } });
  await fetch(WEBHOOKS, { method: "POST", headers, body });
  await until("the webhook was refused", () => log().includes("No signature of the webhook is from this secret."));
  assert.ok(!gateway.seen.includes(`GET /api/v1/payments/${forged}`));

  const money = (order) => [order.summary, payments(order)];
  const before = money(await paid(id));
  const [callback] = await checkout.request("GET", "/api/v1/callbacks", { query: { subjectId: data.paymentId } });
  const read = `GET /api/v1/payments/${data.paymentId}`;
  const reads = () => gateway.seen.filter((one) => one === read).length;
  const known = reads();
  await checkout.request("POST", `/api/v1/callbacks/${callback.id}/resend`);
  await until("the webhook was looked at again", () => reads() > known);
  await paidOrder();
  assert.deepEqual(money(await seen(id)), before);
});

test("late money pays, and a cart that changed has another payment", async () => {
  const late = await customer(shop);
  const asked = await choose((await late.session()).data.paymentId);
  await sandbox("clock", { advanceSeconds: 3600 });
  assert.equal((await checkout.payments.get(asked.paymentId)).status, "EXPIRED");
  await send(asked);
  await mine();
  await paid((await until("the cart is complete", late.complete)).id);

  const replaced = await customer(shop);
  const old = await choose((await replaced.session()).data.paymentId);
  await sandbox("clock", { advanceSeconds: 3600 });
  await replaced.session();
  await send(old);
  await mine();
  const told = `Payment ${old.paymentId}`;
  await until("the merchant is told", () => log().split("\n").some((line) => line.includes(told) && line.includes("after it was cancelled")));

  const buyer = await customer(shop);
  const first = await buyer.session();
  await buyer.add();
  const second = await buyer.session();
  assert.notEqual(second.data.paymentId, first.data.paymentId);
  assert.ok((await checkout.payments.get(first.data.paymentId)).cancelledAt);
  assert.equal((await checkout.payments.get(second.data.paymentId)).expectedDisplayAmount, "51.10");
  const half = await choose(second.data.paymentId);
  await send(half, parts(half, 50)[0]);
  await mine();
  assert.notEqual((await buyer.tryToAdd()).status, 200);
  assert.equal((await checkout.payments.get(second.data.paymentId)).cancelledAt, undefined);
});
