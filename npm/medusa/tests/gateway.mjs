// The sandbox gateway: what payers and chains do, and a relay between the shop and the gateway that can be down.
import { createHmac, randomUUID } from "node:crypto";
import { createServer, request } from "node:http";
import { Checkout } from "@crypto-checkout/client";

const { CHECKOUT_URL, CHECKOUT_TOKEN, CHECKOUT_SECRET } = process.env;
export const checkout = new Checkout({ baseUrl: CHECKOUT_URL, token: CHECKOUT_TOKEN });

/** Passes requests on to the gateway, unless it `isDown`. `seen` has those that came. */
export async function relay() {
  const target = new URL(CHECKOUT_URL);
  const state = { isDown: false, seen: [] };
  const server = createServer((from, to) => {
    state.seen.push(`${from.method} ${from.url}`);
    if (state.isDown) return from.socket.destroy();
    const { method, url: path, headers } = from;
    const on = request({ host: target.hostname, port: target.port, method, path, headers }, (answer) => {
      to.writeHead(answer.statusCode, answer.headers);
      answer.pipe(to);
    });
    on.on("error", () => to.destroy());
    from.pipe(on);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(state, { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() });
}

export function sandbox(what, body) {
  return checkout.request("POST", `/sandbox/${what}`, { body });
}

export async function choose(paymentId, choice = { depositCurrency: "BTC" }) {
  return (await checkout.payments.choose(paymentId, choice)).paymentInfo;
}

/** What the page asked for in two transfers: so many hundredths of it in whole units of the coin, and the rest. */
export function parts({ expectedDepositAmount }, hundredths) {
  const [whole, digits] = expectedDepositAmount.split(".");
  const all = BigInt(whole + digits);
  const first = (all * BigInt(hundredths)) / 100n;
  return [first, all - first].map((part) => part.toString().padStart(digits.length + 1, "0"))
    .map((text) => `${text.slice(0, -digits.length)}.${text.slice(-digits.length)}`);
}

export function send(asked, amount = asked.expectedDepositAmount, network = asked.expectedNetwork) {
  return sandbox("transfers", { network, currency: asked.depositCurrency, address: asked.walletAddress, amount });
}

export function mine(count = 1) {
  return sandbox("blocks", { network: "BTC", count });
}

/** What the gateway would send, with its signature. */
export function webhook(content) {
  const [id, time, body] = [randomUUID(), Math.floor(Date.now() / 1000), JSON.stringify(content)];
  const key = Buffer.from(CHECKOUT_SECRET.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64");
  const headers = { "webhook-id": id, "webhook-timestamp": String(time), "webhook-signature": `v1,${signature}` };
  return { data: content, rawData: body, headers };
}

export async function rows(list) {
  const all = [];
  for await (const row of list) all.push(row);
  return all;
}
