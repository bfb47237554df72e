/**
 * `<crypto-checkout>`: a hosted checkout inside your page.
 *
 * ```html
 * <script type="module" src="https://pay.example/embed.js"></script>
 * <crypto-checkout payment-url="https://pay.example/checkout/…"></crypto-checkout>
 * ```
 *
 * `payment-url` is the `paymentUrl` that your back end got from `POST /api/v1/payments`. Your page's
 * origin must be one of the allowed origins of your business.
 *
 * The events describe the page that your customer sees. For the real status, your back end queries the
 * gateway (`GET /api/v1/payments/{paymentId}`) or uses the callback.
 *
 * Texts can be replaced by slotted elements: `loading`, `error`, `retry`, `link`, `leaving` and `remain` before the redirect, and `ask`,
 * `stay`, `leave` of the question before a dialog closes. Parts for styling: `box`, `frame`, `notice`, `retry`, `link`, `remain`, `dialog`,
 * `close`, `ask`, `stay`, `leave`.
 * `--crypto-checkout-height` (640px) is reserved until the checkout reports its height; `--crypto-checkout-accent` and
 * `--crypto-checkout-on-accent` are your colour and the text on it, in the question before a dialog closes.
 */
export interface CryptoCheckoutElement extends HTMLElement {
  /** The attribute `payment-url`; a new value restarts the checkout. */
  paymentUrl: string | null;

  /**
   * The attribute `mode`. `frame`, the default, is in the flow of your page and grows with its
   * content; `modal` opens a dialog over your page as soon as the element is in the document, or
   * when a button is pressed: see `openOn`. The page behind does not scroll. Its ×, a press beside it and the Escape
   * key, also inside the frame, close it; while a payment is under way the customer is asked first. `inline` is drawn in your
   * page itself; only the script of the kit (`@crypto-checkout/widget`) has it, and a browser without container queries
   * shows a frame.
   */
  mode: CheckoutMode;

  /** The attribute `open-on`: the id of a button of your page that opens the dialog. The checkout loads when it is pressed. */
  openOn: string | null;

  /** The attribute `theme`: instead of the one in `payment-url`. */
  theme: CheckoutTheme | null;

  /** The attribute `locale`, such as `de-DE`: the language instead of the one in `payment-url`. */
  locale: string | null;

  /** Opens the dialog; does nothing in mode `frame`. */
  open(): void;

  /** Closes the dialog without a question; does nothing in mode `frame`. The payment continues. */
  close(): void;

  addEventListener<K extends keyof CryptoCheckoutEventMap>(
    type: K,
    listener: (this: CryptoCheckoutElement, event: CryptoCheckoutEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof CryptoCheckoutEventMap>(
    type: K,
    listener: (this: CryptoCheckoutElement, event: CryptoCheckoutEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

/** The element's attributes, for typed templates such as JSX. */
export interface CryptoCheckoutAttributes {
  "payment-url"?: string | undefined;
  mode?: CheckoutMode | undefined;
  "open-on"?: string | undefined;
  theme?: CheckoutTheme | undefined;
  locale?: string | undefined;
}

export type CheckoutMode = "frame" | "modal" | "inline";

/** `auto` follows the customer's device. */
export type CheckoutTheme = "light" | "dark" | "auto";

/** The status of a payment; later versions may add values. */
export type PaymentStatus =
  | "NEW"
  | "PENDING"
  | "AWAITING"
  | "DEPOSITED"
  | "OVERPAID"
  | "EXPIRED"
  | (string & {});

export interface CheckoutStatusDetail {
  readonly paymentId: string;
  readonly status: PaymentStatus;
}

export interface CheckoutCompleteDetail {
  readonly paymentId: string;
  /** `DEPOSITED` or `OVERPAID`. */
  readonly status: PaymentStatus;
  /**
   * The URL to which the customer is redirected, if the payment has a `redirectUrl`. Missing when a further transfer has come
   * after the payment was paid: the customer reads what becomes of it.
   */
  readonly redirectUrl?: string;
}

export interface CheckoutExpiredDetail {
  readonly paymentId: string;
}

export interface CheckoutErrorDetail {
  /**
   * `origin-not-allowed`: your page's origin is not an allowed origin of the business. `frame-blocked`: your page's
   * Content-Security-Policy has no `frame-src` for the checkout. `timeout`: the checkout did
   * not answer within 20 seconds. `invalid-url`: `payment-url` is not an http or https URL. `failed`: the browser lacks
   * something. Other codes come from the
   * checkout, which shows the reason to your customer: `link_invalid`, `unreachable`, …
   */
  readonly code: "origin-not-allowed" | "frame-blocked" | "timeout" | "invalid-url" | "failed" | (string & {});
}

/** The details of the events by their names after `checkout:`. */
export interface CheckoutEventDetails {
  /** The checkout is shown. */
  ready: Record<string, never>;
  /** The status of the payment changed. Also raised once after `checkout:ready`. */
  status: CheckoutStatusDetail;
  /**
   * The payment is complete. With a `redirectUrl` the customer is redirected there after five seconds, unless
   * a listener calls `preventDefault()`, or the customer has closed the dialog.
   */
  complete: CheckoutCompleteDetail;
  /** The window has ended; the customer can still ask for another quote. */
  expired: CheckoutExpiredDetail;
  /** The customer closed the dialog, or asked to leave the checkout. */
  close: Record<string, never>;
  /** An error occurred. */
  error: CheckoutErrorDetail;
}

type CheckoutEvents = {
  [Type in keyof CheckoutEventDetails as `checkout:${Type}`]: CustomEvent<CheckoutEventDetails[Type]>;
};

/** All events bubble and are composed. */
export interface CryptoCheckoutEventMap extends HTMLElementEventMap, CheckoutEvents {}

declare global {
  interface HTMLElementTagNameMap {
    "crypto-checkout": CryptoCheckoutElement;
  }
}
