// What the page's operator says in `checkout.json`, beside the page: all that the interface does not.
import { PAIRS } from "kit-facts";
import { inTime } from "./in_time";

export interface Settings {
  /** The base address of the API; without it, the origin of the page. */
  readonly api?: string;
  /** Without it, the host of the page. */
  readonly merchantName: string;
  /** An https or mailto link; `{reference}` in it stands for the `clientPaymentId`. */
  readonly supportUrl?: string;
  /** The pairs that the payer can choose, such as `USDT.TRX`, in this order; without them, all of the interface. */
  readonly pairs: readonly string[];
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

interface Found {
  readonly settings: Settings;
  readonly api: string;
  readonly headers: Headers;
}

export const readSettings = (): Promise<Found> =>
  inTime(async (signal) => {
    const response = await globalThis.fetch(FILE, { cache: "no-cache", signal });
    if (!response.ok) throw new Error(`${FILE}: ${response.status}`);
    const fail = (error: unknown) => Promise.reject(new Error(`${FILE} cannot be read: ${error}`));
    const written: Partial<Settings> = await response.json().catch(fail);
    const isKnown = (pair: string) =>
      PAIRS.includes(pair) || console.error(`${FILE}: pairs has ${pair}, which the interface does not: ${PAIRS}`);
    const settings = { merchantName: location.hostname, ...written, pairs: (written.pairs ?? PAIRS).filter(isKnown) };
    const api = new URL(settings.api ?? location.origin);
    if (!/^https?:$/.test(api.protocol)) throw new Error(`${FILE}: api is not an http or https address`);
    return { settings, api: api.origin + api.pathname.replace(/\/+$/, ""), headers: response.headers };
  });
