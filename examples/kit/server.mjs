// A payment server, as small as the page of the kit needs it: two requests of the page, one of your shop, and one by which you
// say what arrived. Node 20 or later, no packages. docs/guides/kit.md starts it.
//
//     node examples/kit/server.mjs 9100 http://127.0.0.1:9200/      # its port, and the address of the page
//
//     curl http://127.0.0.1:9100/api/v1/payments --json '{"clientPaymentId": "order-1", "displayCurrency": "EUR", "displayAmount": "25.00"}'
//     curl -X PUT http://127.0.0.1:9100/payments/ID --json '{"status": "DEPOSITED", "deposits": […]}'
//
// A real server keeps payments in a database, has an address per payment, watches the chains, and asks its shop for a token.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

const [port, page] = process.argv.slice(2);
const now = () => Math.floor(Date.now() / 1000);

/** Of each pair: what a coin costs, in cents, its decimals, and where it is paid to. */
const PAIRS = {
  "BTC.BTC": [6_000_000n, 8, "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
  "LTC.LTC": [8_000n, 8, "LgUPnP2UZxmFBJb8FDgNd5JcU9b7CNfrw1"],
  "USDT.ETH": [92n, 6, "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"],
  "USDT.TRX": [92n, 6, "TBLZaw93rsnLJ1SWTvoPkr7GVg5ixn2Jv1"],
  "XRP.XRP": [50n, 6, "rU6K7V3Po4snVhBBaU29sesqs2qTQJWDw1"],
};
/** By their ids, each with its token. */
const payments = new Map();

/** Rounded up, and never a float. */
function amountOf(price, cents, decimals) {
  const [whole, fraction = ""] = price.split(".");
  const atoms = BigInt(whole + fraction.padEnd(2, "0")) * 10n ** BigInt(decimals);
  const digits = String((atoms + cents - 1n) / cents).padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, "");
}

function create(order) {
  const payment = {
    paymentId: randomUUID(), businessId: randomUUID(), status: "NEW", type: "ONE_TIME", rateType: "FIXED", processorType: "BLOCKCHAIN",
    locale: "en-US", expirationMinutes: 30, paymentInitiatedAt: now(), expectedDisplayAmount: order.displayAmount,
    deposits: [], ...order,
  };
  const token = randomUUID();
  payments.set(payment.paymentId, { payment, token });
  return [200, { paymentInfo: payment, paymentUrl: `${page}?${new URLSearchParams({ paymentId: payment.paymentId, sessionToken: token })}` }];
}

function choose(payment, { depositCurrency, network }) {
  const ofCurrency = Object.keys(PAIRS).filter((pair) => pair.startsWith(`${depositCurrency}.`));
  const pair = network ? `${depositCurrency}.${network}` : ofCurrency.length === 1 && ofCurrency[0];
  if (!PAIRS[pair]) return [422];
  if (payment.deposits.length > 0) return [409];
  const [cents, decimals, walletAddress] = PAIRS[pair];
  const expectedDepositAmount = amountOf(payment.expectedDisplayAmount, cents, decimals);
  const chosen = { depositCurrency, expectedNetwork: pair.split(".")[1], expectedDepositAmount, walletAddress };
  const destinationTag = depositCurrency === "XRP" ? String(payment.paymentInitiatedAt) : undefined;
  Object.assign(payment, chosen, { destinationTag, status: "PENDING", paymentRequestedAt: now() });
  return [200, { paymentInfo: payment }];
}

function answer({ method, url, headers }, body) {
  if (method === "OPTIONS") return [204];
  if (method === "POST" && url === "/api/v1/payments") return create(body);
  const { payment, token } = payments.get(url.split("/").pop()) ?? {};
  if (!payment) return [404];
  if (method === "PUT" && url.startsWith("/payments/")) return [200, Object.assign(payment, body)]; // for you, not for the world
  if (headers.authorization !== `Bearer ${token}`) return [401];
  if (method === "GET" && url.startsWith("/api/v1/payments/")) return [200, payment];
  if (method === "PATCH" && url.startsWith("/api/v1/payments/")) return choose(payment, body);
  return [405];
}

const server = createServer(async (request, response) => {
  const text = (await request.toArray()).join("");
  const [status, body] = answer(request, text && JSON.parse(text));
  response.setHeader("access-control-allow-origin", new URL(page).origin);
  response.setHeader("access-control-allow-methods", "GET, PATCH");
  response.setHeader("access-control-allow-headers", "authorization, content-type");
  response.setHeader("access-control-expose-headers", "date");
  response.writeHead(status, { "content-type": "application/json" }).end(body && JSON.stringify(body));
});
server.listen(Number(port), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
