// A Medusa server, set up by its own commands and APIs: one product, one region, and customers.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

const { PORT } = process.env;
const URL = `http://127.0.0.1:${PORT}`;
const LOG = "medusa.log";
const PROVIDER = "pp_crypto-checkout";
const OWNER = { email: "owner@shop.example", password: randomUUID() };
const MINUTES_TO_START = 5;

export async function until(what, condition, seconds = 60) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
    const found = await condition();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`not within ${seconds} seconds: ${what}`);
}

export function log() {
  return readFileSync(LOG, "utf8");
}

function lastLines() {
  return log().split("\n").slice(-30).join("\n");
}

function medusa(env, ...command) {
  const child = spawn("node", ["node_modules/@medusajs/cli/cli.js", ...command], {
    env: { ...process.env, ...env, NODE_ENV: "development", MEDUSA_DISABLE_TELEMETRY: "1", PORT },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => appendFileSync(LOG, bytes));
  return child;
}

async function run(env, ...command) {
  const [status] = await once(medusa(env, ...command), "exit");
  if (status !== 0) throw new Error(`medusa ${command.join(" ")}: ${status}\n${lastLines()}`);
}

async function ask(method, path, headers, body) {
  const response = await fetch(URL + path, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json().catch(() => null) };
}

async function good(method, path, headers, body) {
  const answer = await ask(method, path, headers, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Starts the server on an empty database, and opens the shop. */
export async function open(env) {
  writeFileSync(LOG, "");
  await run(env, "db:migrate", "--skip-scripts", "--execute-safe-links");
  await run(env, "user", "--email", OWNER.email, "--password", OWNER.password);
  const server = medusa(env, "start", "--port", PORT);
  const isUp = () => fetch(`${URL}/health`).then((answer) => answer.ok, () => server.exitCode !== null);
  await until("the shop is up", isUp, MINUTES_TO_START * 60);
  if (server.exitCode !== null) throw new Error(lastLines());
  const { token } = await good("POST", "/auth/user/emailpass", {}, OWNER);
  const headers = { authorization: `Bearer ${token}` };
  const admin = (method, path, body) => good(method, `/admin/${path}`, headers, body);
  const tried = (method, path, body) => ask(method, `/admin/${path}`, headers, body);
  return { admin, tried, store: await furnish(admin), close: () => server.kill("SIGKILL") };
}

async function furnish(admin) {
  const { sales_channels: [channel] } = await admin("GET", "sales-channels");
  const { api_key: key } = await admin("POST", "api-keys", { title: "Storefront", type: "publishable" });
  await admin("POST", `api-keys/${key.id}/sales-channels`, { add: [channel.id] });
  const { region } = await admin("POST", "regions", {
    name: "Europe", currency_code: "eur", countries: ["de"], payment_providers: [PROVIDER],
  });
  const { product } = await admin("POST", "products", {
    title: "Kettle", status: "published", sales_channels: [{ id: channel.id }],
    options: [{ title: "Size", values: ["Small"] }],
    variants: [{ title: "Small", options: { Size: "Small" }, manage_inventory: false, prices: [{ currency_code: "eur", amount: 25.55 }] }],
  });
  return { region: region.id, variant: product.variants[0].id, headers: { "x-publishable-api-key": key.token } };
}

/** A customer with a kettle in the cart, and a session to pay it. */
export async function customer({ store }) {
  const call = (method, path, body) => good(method, `/store/${path}`, store.headers, body);
  const { cart } = await call("POST", "carts", { region_id: store.region, email: "tea@example.com" });
  const add = () => call("POST", `carts/${cart.id}/line-items`, { variant_id: store.variant, quantity: 1 });
  await add();
  const { payment_collection: collection } = await call("POST", "payment-collections", { cart_id: cart.id });
  const session = async () => {
    const path = `payment-collections/${collection.id}/payment-sessions`;
    const answer = await call("POST", path, { provider_id: PROVIDER, data: { paymentId: "mine", refunds: "mine" } });
    return answer.payment_collection.payment_sessions.at(-1);
  };
  return {
    add,
    session,
    tryToAdd: () => ask("POST", `/store/carts/${cart.id}/line-items`, store.headers, { variant_id: store.variant, quantity: 1 }),
    data: async () => (await call("GET", `carts/${cart.id}?fields=payment_collection.payment_sessions.*`)).cart.payment_collection.payment_sessions[0].data,
    /** What the storefront does when the payer is back: there is an order, or none yet. */
    complete: async () => (await ask("POST", `/store/carts/${cart.id}/complete`, store.headers)).body.order,
  };
}
