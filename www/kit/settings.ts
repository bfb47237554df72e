// What the page's operator says in `checkout.json`, beside the page: all that the interface does not.
import { PAIRS } from "kit-facts";

export interface Settings {
  /** The base address of the API; without it, the origin of the page. */
  readonly api?: string;
  readonly merchantName?: string;
  /** An https or mailto link; `{reference}` in it stands for the `clientPaymentId`. */
  readonly supportUrl?: string;
  /** The pairs that the payer can choose, such as `USDT.TRX`, in this order; without them, all of the interface. */
  readonly pairs?: readonly string[];
  /** The theme of a link that names none. */
  readonly theme?: string;
  /** The origins of the pages that may embed this one, beside its own. */
  readonly allowedOrigins?: readonly string[];
  /** No real money is involved. */
  readonly sandbox?: boolean;
  /** As in `GET /api/v1/checkout/{paymentId}`. */
  readonly testNetworks?: readonly object[];
}

/** Relative to the page. */
export const FILE = "checkout.json";

const COMES_WITHIN = 8_000;

export async function readSettings(): Promise<{ settings: Settings; api: string; headers: Headers }> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), COMES_WITHIN);
  try {
    const response = await globalThis.fetch(FILE, { cache: "no-cache", signal: abort.signal });
    if (!response.ok) throw new Error(`${FILE}: ${response.status}`);
    const settings: Settings = await response.json().catch((error) => Promise.reject(new Error(`${FILE} cannot be read: ${error}`)));
    const unknown = settings.pairs?.filter((pair) => !PAIRS.includes(pair)) ?? [];
    if (unknown.length) console.error(`${FILE}: pairs has ${unknown}, which the interface does not: ${PAIRS}`);
    const api = new URL(settings.api ?? location.origin);
    if (!/^https?:$/.test(api.protocol)) throw new Error(`${FILE}: api is not an http or https address`);
    return { settings, api: api.origin + api.pathname.replace(/\/+$/, ""), headers: response.headers };
  } finally {
    clearTimeout(timer);
  }
}
