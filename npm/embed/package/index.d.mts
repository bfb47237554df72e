import type { CryptoCheckoutElement } from "./element.js";

export * from "./element.js";

export interface LoadOptions {
  /** The digest of a versioned script, `sha384-…`: see `/embed.json` of the gateway. */
  integrity?: string | undefined;
  /** The nonce of your page's Content-Security-Policy. */
  nonce?: string | undefined;
}

/** The class of `<crypto-checkout>`. */
export type CryptoCheckoutClass = new () => CryptoCheckoutElement;

/**
 * Loads the script that defines `<crypto-checkout>`, once per page. A tag that the page has already is used.
 *
 * @param script The URL of the gateway's script, such as `https://pay.example/embed.js`, or a `TrustedScriptURL`.
 * @returns The class of the element; `null` on a server, where there is no `window`.
 * @throws {CheckoutLoadError} The promise is rejected; the next call tries again.
 */
export function loadCheckout(
  script: string | { toString(): string },
  options?: LoadOptions,
): Promise<CryptoCheckoutClass | null>;

/** The script could not be loaded. The message says why, and what to do. */
export class CheckoutLoadError extends Error {
  /**
   * `blocked`: by the page's Content-Security-Policy. `failed`: wrong address, network, or another content than
   * `integrity` says. `invalid-url`: not an http or https URL. `other-script`: it does not define the element.
   * `timeout`: it has not run after 20 seconds.
   */
  readonly code: "blocked" | "failed" | "invalid-url" | "other-script" | "timeout";
  /** The URL of the script. */
  readonly script: string;
  constructor(code: CheckoutLoadError["code"], script: string, message: string);
}
