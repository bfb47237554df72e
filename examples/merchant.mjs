// A merchant's back end: creates payments and receives webhooks. Node 20 or later, no packages.
//
//     CHECKOUT_URL=http://127.0.0.1:8080 CHECKOUT_TOKEN=biz_… CHECKOUT_SECRET=whsec_… node examples/merchant.mjs 9000
//
//     curl http://127.0.0.1:9000/orders --json '{"amount": "25.00"}'    # {"id", "paymentUrl", "paid"}
//     curl http://127.0.0.1:9000/orders/ID                              # "paid" becomes true
//
// The callback URL of the business is http://127.0.0.1:9000/webhooks.

import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const { CHECKOUT_URL, CHECKOUT_TOKEN, CHECKOUT_SECRET } = process.env;
const secret = Buffer.from(CHECKOUT_SECRET.replace(/^whsec_/, ""), "base64");

const TOLERANCE = 300; // seconds between the signature and now
const MAX_BODY = 128 * 1024; // bytes; no webhook is longer
const PAID = new Set(["DEPOSITED", "OVERPAID"]);

// A real shop keeps both in its database.
const orders = new Map();
const seenWebhooks = new Set();

/** Calls the gateway; throws for 4xx and 5xx. */
async function gateway(method, path, body) {
  const headers = { authorization: `Bearer ${CHECKOUT_TOKEN}`, "content-type": "application/json" };
  const signal = AbortSignal.timeout(20_000);
  const response = await fetch(CHECKOUT_URL + path, { method, headers, signal, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function createOrder(amount) {
  // The order's id is the payment's idempotency key: the same request again returns the same payment.
  const id = randomUUID();
  const { paymentUrl, paymentInfo } = await gateway("POST", "/api/v1/payments", {
    clientPaymentId: id,
    locale: "en-US",
    displayCurrency: "EUR",
    displayAmount: amount, // a decimal text, never a float
  });
  const order = { id, paymentId: paymentInfo.paymentId, paymentUrl, seen: false, paid: false };
  orders.set(id, order);
  return order;
}

/** Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`; one of several signatures has to match. */
function isSigned(headers, body) {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"] ?? "";
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE) return false;
  const expected = createHmac("sha256", secret).update(`${id}.${timestamp}.`).update(body).digest();
  return (headers["webhook-signature"] ?? "").split(" ").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/** The webhook says that something happened; the gateway says whether the payment is paid. */
async function receive(id, webhook) {
  if (seenWebhooks.has(id)) return;
  switch (webhook.type) {
    case undefined: // the callback of a deposit or a withdrawal
      await lookAt(webhook);
      break;
    case "payment.status": // typed events, if the business chose them
    case "deposit.confirmed":
    case "deposit.reversed":
      await lookAt(webhook.data);
      break;
    default: // answered with 2xx, too: otherwise it is sent for three days
  }
  seenWebhooks.add(id);
}

async function lookAt({ clientPaymentId, paymentId }) {
  const order = orders.get(clientPaymentId);
  if (order && order.paymentId === paymentId) {
    order.seen = true;
    await look(order);
  }
}

/** Asks the gateway. A deposit may be reported before it is in a block, and no webhook follows: ask again until it is paid. */
async function look(order) {
  if (order.paid) return;
  const payment = await gateway("GET", `/api/v1/payments/${order.paymentId}`);
  order.paid = PAID.has(payment.status);
}

async function answer(request) {
  const { method, url, headers } = request;
  if (Number(headers["content-length"] ?? 0) > MAX_BODY) return [413];
  const body = await read(request);
  if (method === "POST" && url === "/orders") return [201, await createOrder(JSON.parse(body).amount)];
  if (method === "GET" && url.startsWith("/orders/")) {
    const order = orders.get(url.slice("/orders/".length));
    if (order?.seen) await look(order); // a real shop does this in the background, every few minutes
    return order ? [200, order] : [404];
  }
  if (method !== "POST" || url !== "/webhooks") return [404];
  if (!isSigned(headers, body)) return [401];
  await receive(headers["webhook-id"], JSON.parse(body));
  return [204];
}

/** Throws if the sender breaks off, or if the body is too long. */
async function read(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BODY) throw new RangeError("the body is too long");
  }
  return Buffer.concat(chunks);
}

const server = createServer(async (request, response) => {
  // After a 500 the gateway tries again later. Whatever fails ends here: an exception of a request must not end the process.
  const [status, body] = await answer(request).catch((error) => (console.error(error), [500]));
  if (status === 413) response.setHeader("connection", "close");
  response.writeHead(status, { "content-type": "application/json" }).end(body && JSON.stringify(body));
});
server.requestTimeout = 10_000; // milliseconds until a request has to be complete

server.listen(Number(process.argv[2]), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
