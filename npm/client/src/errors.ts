/** One invalid field of a request. */
export interface InvalidField {
  /** A JSON Pointer to the field, such as `/displayAmount`. */
  pointer: string;
  code: string;
  detail: string;
}

/** What all errors of this package have in common. */
export class CheckoutError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The gateway refused the request, or could not carry it out. */
export class CheckoutApiError extends CheckoutError {
  /** The HTTP status. */
  readonly status: number;
  /** Stable, for programs: `unknown_field`, `client_payment_id_taken`, … `unreadable` if the answer was none of the gateway's. */
  readonly code: string;
  /** For people. */
  readonly detail: string;
  /** Finds the request in the gateway's log. */
  readonly requestId: string | undefined;
  /** All invalid fields of the request. */
  readonly errors: readonly InvalidField[];
  /** Seconds after which the gateway wants to be asked again. */
  readonly retryAfter: number | undefined;

  constructor(about: Omit<CheckoutApiError, keyof Error | "pointer">) {
    super(`${about.status} ${about.code}: ${about.detail}`);
    this.status = about.status;
    this.code = about.code;
    this.detail = about.detail;
    this.requestId = about.requestId;
    this.errors = about.errors;
    this.retryAfter = about.retryAfter;
  }

  /** Where the first invalid field is. */
  get pointer(): string | undefined {
    return this.errors[0]?.pointer;
  }
}

/** No answer: the gateway was not reached, or did not answer in time. The request may have been carried out. */
export class CheckoutConnectionError extends CheckoutError {}

/** The webhook is not from the gateway, or is too old. Answer 401. */
export class WebhookVerificationError extends CheckoutError {}
