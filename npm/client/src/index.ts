export type * from "./api.js";
export { Checkout, type Deposits, type ListFilter, type Payments, type Refunds, type Withdrawals } from "./client.js";
export {
  CheckoutApiError,
  CheckoutConnectionError,
  CheckoutError,
  type InvalidField,
  WebhookVerificationError,
} from "./errors.js";
export type { CheckoutOptions, QueryValue, RequestOptions } from "./http.js";
export {
  type Webhook,
  type WebhookCallback,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookOptions,
  verifyWebhook,
} from "./webhooks.js";
