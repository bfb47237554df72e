// The package as it is installed: webhooks, retries and pages against a server that answers by a script.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import * as client from "@crypto-checkout/client";

const { Checkout, CheckoutApiError, CheckoutConnectionError, CheckoutError, WebhookVerificationError, verifyWebhook } = client;

/** The published example of Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks/tree/main/libraries */
const SIGNED = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  body: '{"test": 2432232314}',
  now: 1614265330,
  headers: {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  },
};
const RIGHT = SIGNED.headers["webhook-signature"];
const OTHER = "v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
const OTHER_SECRET = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

const signature = (text) => ({ headers: { ...SIGNED.headers, "webhook-signature": text } });
const named = (rename, value = (text) => text) =>
  Object.fromEntries(Object.entries(SIGNED.headers).map(([key, text]) => [rename(key), value(text)]));
const without = (name) => ({ headers: Object.fromEntries(Object.entries(SIGNED.headers).filter(([key]) => key !== name)) });

for (const [what, changes, accepted] of [
  ["the published example", {}, true],
  ["bytes", { body: new TextEncoder().encode(SIGNED.body) }, true],
  ["an ArrayBuffer", { body: new TextEncoder().encode(SIGNED.body).buffer }, true],
  ["a part of a larger buffer", { body: Buffer.from(`..${SIGNED.body}`).subarray(2) }, true],
  ["a view", { body: new DataView(new TextEncoder().encode(SIGNED.body).buffer) }, true],
  ["headers of fetch", { headers: new Headers(SIGNED.headers) }, true],
  ["headers in a Map", { headers: new Map(Object.entries(SIGNED.headers)) }, true],
  ["names in another case", { headers: named((name) => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())) }, true],
  ["names in capitals", { headers: named((name) => name.toUpperCase()) }, true],
  ["values in arrays, as multiValueHeaders", { headers: named((name) => name, (value) => [value]) }, true],
  ["two headers with signatures", { headers: { ...SIGNED.headers, "webhook-signature": [OTHER, RIGHT] } }, true],
  ["a secret with a line break", { secret: `${SIGNED.secret}\n` }, true],
  ["the last second", { now: SIGNED.now + 300 }, true],
  ["a clock that is behind", { now: SIGNED.now - 300 }, true],
  ["a rotation: the new signature first", signature(`${OTHER} ${RIGHT}`), true],
  ["a rotation: the old signature first", signature(`${RIGHT} ${OTHER}`), true],
  ["several secrets", { secret: [OTHER_SECRET, SIGNED.secret] }, true],
  ["a secret without its prefix", { secret: SIGNED.secret.slice("whsec_".length) }, true],
  ["a second too late", { now: SIGNED.now + 301 }, false],
  ["a second too early", { now: SIGNED.now - 301 }, false],
  ["another body", { body: '{"test": 2432232315}' }, false],
  ["another secret", { secret: OTHER_SECRET }, false],
  ["another id", { headers: { ...SIGNED.headers, "webhook-id": "msg_other" } }, false],
  ["another time", { headers: { ...SIGNED.headers, "webhook-timestamp": "1614265331" } }, false],
  ["a time that is no number", { headers: { ...SIGNED.headers, "webhook-timestamp": "1614265330.0" } }, false],
  ["another signature", signature(OTHER), false],
  ["a signature without its version", signature(RIGHT.slice("v1,".length)), false],
  ["a signature of another version", signature(RIGHT.replace("v1,", "v1a,")), false],
  ["half a signature", signature(RIGHT.slice(0, 24)), false],
  ["a signature that is no Base64", signature("v1,*"), false],
  ["an empty signature", signature(""), false],
  ["no id", without("webhook-id"), false],
  ["no time", without("webhook-timestamp"), false],
  ["no signature", without("webhook-signature"), false],
]) {
  test(`webhook: ${what}`, async () => {
    const { body, headers, secret, now } = { ...SIGNED, ...changes };
    const verified = verifyWebhook(body, headers, secret, { now });
    if (accepted) {
      const { id, timestamp, payload } = await verified;
      assert.deepEqual([id, timestamp, payload.test], ["msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, 2432232314]);
    } else {
      await assert.rejects(verified, WebhookVerificationError);
    }
  });
}

for (const [what, body, cause] of [
  ["a parsed body", JSON.parse(SIGNED.body), /already parsed.*express\.raw.*request\.text\(\).*isBase64Encoded/],
  ["a parsed list", [1], /already parsed/],
  ["a number", 1, /already parsed/],
  ["no body", undefined, /missing.*Express.*Next.*Lambda/],
  ["null", null, /missing/],
  ["Base64", Buffer.from(SIGNED.body).toString("base64"), /still Base64.*Lambda/],
]) {
  test(`webhook: ${what} is refused with its cause and remedy`, async () => {
    const verified = verifyWebhook(body, SIGNED.headers, SIGNED.secret, { now: SIGNED.now });
    await assert.rejects(verified, (error) => error instanceof WebhookVerificationError && cause.test(error.message));
  });
}

for (const headers of [undefined, null, {}, [], "webhook-id: a", { "webhook-id": [] }]) {
  test(`webhook: headers ${JSON.stringify(headers)} are refused`, async () => {
    const verified = verifyWebhook(SIGNED.body, headers, SIGNED.secret, { now: SIGNED.now });
    await assert.rejects(verified, (error) => error instanceof WebhookVerificationError && /webhook-id/.test(error.message));
  });
}

test("webhook: an empty secret is a mistake of the program", async () => {
  for (const secret of ["", "whsec_", "whsec_*", undefined, null]) {
    await assert.rejects(verifyWebhook(SIGNED.body, SIGNED.headers, secret, { now: SIGNED.now }), TypeError);
  }
});

/** Answers in turn; `null` closes the connection without an answer. */
async function script(answers) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({ method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    if (answer === null) return request.socket.destroy();
    const [status, body, headers = {}] = answer;
    response.writeHead(status, { "x-request-id": "r-1", ...headers }).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => server.close());
  const checkout = new Checkout({ baseUrl: `http://127.0.0.1:${server.address().port}/`, token: "biz_1" });
  return { requests, checkout };
}

const problem = (status, code, more = {}) => [status, { status, code, detail: "why", requestId: "r-1", ...more }];
const busy = (seconds) => [503, { code: "no_rate", detail: "why" }, { "retry-after": seconds }];
const OK = [200, {}];
const get = (checkout) => checkout.payments.get("p-1");
const create = (checkout) => checkout.payments.create({ clientPaymentId: "o-1", locale: "en-US" });
const refund = (checkout) => checkout.payments.refund("p-1", { clientRefundId: "r-1" });
const withdraw = (checkout) => checkout.withdrawals.create({ clientWithdrawalId: "w-1" });
const cancel = (checkout) => checkout.payments.cancel("p-1");
const choose = (checkout) => checkout.payments.choose("p-1", { depositCurrency: "BTC" });

for (const [what, call, answers, requests, error] of [
  ["GET after 503", get, [busy("0"), OK], 2],
  ["GET after a lost answer", get, [null, OK], 2],
  ["GET: three attempts, then the error", get, [busy("0")], 3, { status: 503, code: "no_rate" }],
  ["GET: a long wait is the caller's", get, [busy("31")], 1, { status: 503, retryAfter: 31 }],
  ["GET: what is not there stays so", get, [problem(404, "not_found")], 1, { status: 404, code: "not_found" }],
  ["a payment after a lost answer", create, [null, OK], 2],
  ["a payment after 429", create, [[429, {}, { "retry-after": "0" }], OK], 2],
  ["a payment after the answer of a proxy", create, [[502, "<html>"], OK], 2],
  ["a payment that is refused", create, [problem(422, "invalid")], 1, { status: 422 }],
  ["a refund after 500", refund, [problem(500, "internal"), OK], 2],
  ["a withdrawal after 504", withdraw, [problem(504, "timeout"), OK], 2],
  ["a cancellation is not repeated", cancel, [busy("0"), OK], 1, { status: 503 }],
  ["a choice is not repeated", choose, [problem(500, "internal"), OK], 1, { status: 500 }],
  ["200 that is none of the gateway's", get, [[200, "<html>"]], 1, { status: 200, code: "unreadable" }],
]) {
  test(`retries: ${what}`, async () => {
    const gateway = await script(answers);
    const outcome = call(gateway.checkout);
    if (error === undefined) await outcome;
    else await assert.rejects(outcome, { name: "CheckoutApiError", requestId: "r-1", ...error });
    assert.equal(gateway.requests.length, requests);
    assert.equal(new Set(gateway.requests.map(({ method, url, body }) => method + url + body)).size, 1, "the same request");
  });
}

test("a lost answer of what is not repeated says that there was none", async () => {
  const { checkout, requests } = await script([null]);
  await assert.rejects(cancel(checkout), (error) => error instanceof CheckoutConnectionError && error.cause !== undefined);
  assert.equal(requests.length, 1);
});

test("a redirect does not take the token elsewhere", async () => {
  const { checkout, requests } = await script([[302, {}, { location: "/elsewhere" }]]);
  await assert.rejects(cancel(checkout), CheckoutConnectionError);
  assert.deepEqual(requests.map(({ url }) => url), ["/api/v1/payments/p-1/cancel"]);
});

test("an error has every invalid field", async () => {
  const errors = [{ pointer: "/displayAmount", code: "amount", detail: "why" }, { pointer: "/locale", code: "unknown", detail: "why" }];
  const { checkout } = await script([problem(422, "invalid", { errors })]);
  await assert.rejects(create(checkout), (error) => {
    assert.ok(error instanceof CheckoutApiError && error instanceof CheckoutError && error instanceof Error);
    assert.deepEqual(error.errors, errors);
    assert.equal(error.pointer, "/displayAmount");
    assert.equal(error.message, "422 invalid: why");
    return true;
  });
});

test("a request has the token, JSON, and escaped ids", async () => {
  const { checkout, requests } = await script([OK]);
  await create(checkout);
  await checkout.payments.get("a/b?c");
  await checkout.validateAddress("XRP", "XRP", "r1", "7");
  assert.equal(requests[0].headers.authorization, "Bearer biz_1");
  assert.equal(requests[0].headers["content-type"], "application/json");
  assert.deepEqual(JSON.parse(requests[0].body), { clientPaymentId: "o-1", locale: "en-US" });
  assert.equal(requests[1].url, "/api/v1/payments/a%2Fb%3Fc");
  assert.equal(requests[2].url, "/api/v1/currency/XRP/network/XRP/address/r1/destinationTag/7/valid");
  for (const id of ["", ".", ".."]) assert.throws(() => checkout.payments.get(id), TypeError);
  assert.equal(requests.length, 3);
});

test("a list asks for the next page when it is needed", async () => {
  const page = (...ids) => [200, ids.map((paymentId) => ({ paymentId }))];
  const { checkout, requests } = await script([page("5", "4"), page("3", "2"), page("1")]);
  const list = checkout.payments.list({ status: "DEPOSITED", limit: 2, from: undefined });
  assert.equal((await list.next()).value.paymentId, "5");
  assert.equal(requests.length, 1);
  const rest = [];
  for await (const { paymentId } of list) rest.push(paymentId);
  assert.deepEqual(rest, ["4", "3", "2", "1"]);
  assert.deepEqual(
    requests.map(({ url }) => new URL(url, "http://gateway").search),
    ["?limit=2&status=DEPOSITED", "?limit=2&status=DEPOSITED&after=4", "?limit=2&status=DEPOSITED&after=2"],
  );
});
