import type { DepositReceived, WithdrawalEnded, webhooks } from "./api.js";
import { WebhookVerificationError } from "./errors.js";

type Name = keyof webhooks & `${string}.${string}`;
type Body<Key extends keyof webhooks> = NonNullable<webhooks[Key]["post"]["requestBody"]>["content"]["application/json"];

/** A typed event, told apart by its `type`. */
export type WebhookEvent = { [Key in Name]: Body<Key> & { type: Key } }[Name];
/** The callback of a deposit or of a withdrawal; it has no `type`. */
export type WebhookCallback = (DepositReceived | WithdrawalEnded) & { type?: undefined };

export interface Webhook {
  /** The same on every attempt: ignore ids that you have processed. */
  id: string;
  /** UNIX seconds of the signature. */
  timestamp: number;
  /** Amounts of callbacks are numbers, and lose digits here: read the payment for exact ones. */
  payload: WebhookCallback | WebhookEvent;
}

/** Names in any case: `Headers`, the headers of Node, or Lambda's `headers` and `multiValueHeaders`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { [name: string]: string | readonly string[] | undefined };

/** The bytes as they came, or their text. */
export type WebhookBody = Uint8Array | ArrayBuffer | ArrayBufferView | string;

export interface WebhookOptions {
  /** Seconds between the signature and now; 300 by default. */
  tolerance?: number;
  /** UNIX seconds; the clock of this machine by default. */
  now?: number;
}

/**
 * Checks the signature of a webhook by [Standard Webhooks](https://www.standardwebhooks.com/), and reads it.
 *
 * `body` are the bytes as they came, before any parser. `secret` is the callback secret of the business (`whsec_…`), or several.
 * During a rotation the gateway sends a signature for each of its secrets; one has to match.
 *
 * @throws {WebhookVerificationError}
 */
export async function verifyWebhook(
  body: WebhookBody,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { tolerance = 300, now = Date.now() / 1000 }: WebhookOptions = {},
): Promise<Webhook> {
  const id = header(headers, "webhook-id");
  const time = header(headers, "webhook-timestamp");
  if (!/^\d{1,15}$/.test(time) || Math.abs(now - Number(time)) > tolerance) {
    throw new WebhookVerificationError("The timestamp of the webhook is too far from now.");
  }
  const bytes = bytesOf(body);
  const message = join(new TextEncoder().encode(`${id}.${time}.`), bytes);
  const signatures = header(headers, "webhook-signature").split(" ");
  const keys = await Promise.all([secret].flat().map(importKey));
  if (!(await anyMatches(keys, signatures, message))) {
    throw new WebhookVerificationError("No signature of the webhook is from this secret.");
  }
  return { id, timestamp: Number(time), payload: JSON.parse(new TextDecoder().decode(bytes)) as Webhook["payload"] };
}

/** `subtle.verify` compares in constant time. */
async function anyMatches(keys: CryptoKey[], signatures: string[], message: Uint8Array<ArrayBuffer>): Promise<boolean> {
  for (const text of signatures) {
    const signature = text.startsWith("v1,") ? base64(text.slice(3)) : undefined;
    if (signature === undefined) continue;
    for (const key of keys) {
      if (await crypto.subtle.verify("HMAC", key, signature, message)) return true;
    }
  }
  return false;
}

async function importKey(secret: string): Promise<CryptoKey> {
  const bytes = typeof secret === "string" ? base64(secret.trim().replace(/^whsec_/, "")) : undefined;
  if (!bytes?.length) throw new TypeError("The secret of webhooks is not Base64 after `whsec_`.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

const REMEDY =
  "Pass the bytes as they came. Express: express.raw({ type: \"application/json\" }) on this route, then req.body. " +
  "Next: await request.text(), in Pages with bodyParser: false. " +
  "Lambda: Buffer.from(event.body, event.isBase64Encoded ? \"base64\" : \"utf8\").";

/** A signature is over bytes: what a parser made of them cannot be checked. */
function bytesOf(body: unknown): Uint8Array {
  if (typeof body === "string" && !isBase64(body)) return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  const is = typeof body === "string" ? "still Base64" : body == null ? "missing" : "already parsed";
  throw new WebhookVerificationError(`The body of the webhook is ${is}. ${REMEDY}`);
}

/** Webhooks are JSON objects, whose braces are no letters of Base64. */
function isBase64(text: string): boolean {
  return text !== "" && /^[A-Za-z0-9+/]+={0,2}\s*$/.test(text);
}

function header(headers: unknown, name: string): string {
  const found = valuesOf(headers, name);
  if (found.length === 0) {
    throw new WebhookVerificationError(`The header \`${name}\` is missing. Pass the headers of the request.`);
  }
  // Several signatures are separated by spaces; of all others there is one.
  return name === "webhook-signature" ? found.join(" ") : (found[0] as string);
}

function valuesOf(headers: unknown, name: string): string[] {
  if (typeof headers !== "object" || headers === null) return [];
  if ("get" in headers && typeof headers.get === "function") return texts(headers.get(name));
  const entries = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  return entries.flatMap(([, value]) => texts(value));
}

function texts(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === "string");
}

function base64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
