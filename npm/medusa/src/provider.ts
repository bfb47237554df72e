import { createHmac } from "node:crypto";
import { Checkout, CheckoutApiError, type CreatePayment, type Payment, verifyWebhook } from "@crypto-checkout/client";
import type {
  AuthorizePaymentInput, CancelPaymentInput, CancelPaymentOutput, CapturePaymentInput, CapturePaymentOutput, DeletePaymentInput,
  DeletePaymentOutput, GetPaymentStatusInput, GetPaymentStatusOutput, InitiatePaymentInput, InitiatePaymentOutput, Logger,
  ProviderWebhookPayload, RefundPaymentInput, RefundPaymentOutput, RetrievePaymentInput, RetrievePaymentOutput, UpdatePaymentInput,
  UpdatePaymentOutput, WebhookActionResult,
} from "@medusajs/framework/types";
import { AbstractPaymentProvider } from "@medusajs/framework/utils";
import { notAllowed, refusals } from "./errors";
import { type Price, priceOf } from "./money";
import { type SessionData, type SessionRefund, facts, isPaid, isRefundedByShop, statusOf } from "./session";

export interface CryptoCheckoutOptions {
  /** The gateway, such as `https://pay.example`. */
  url: string;
  /** A token of the business (`biz_…`) that may create payments and, for refunds, withdraw. */
  token: string;
  /** The callback secret of the business (`whsec_…`). */
  secret: string;
  /** Where the payer returns to. `session_id` is appended. */
  redirectUrl?: string;
  /** The language of the payment's page; `en-US` by default. */
  locale?: CreatePayment["locale"];
}

const REQUIRED = ["url", "token", "secret"] as const;

export class CryptoCheckoutProvider extends AbstractPaymentProvider<CryptoCheckoutOptions> {
  static override identifier = "crypto-checkout";
  readonly #checkout: Checkout;
  readonly #options: CryptoCheckoutOptions;
  readonly #logger: Logger;

  static override validateOptions(options: Partial<CryptoCheckoutOptions>): void {
    const missing = REQUIRED.filter((name) => !options[name]);
    if (missing.length > 0) throw new Error(`@crypto-checkout/medusa needs the options ${missing.join(", ")}.`);
  }

  constructor(container: { logger: Logger }, options: CryptoCheckoutOptions) {
    super(container, options);
    this.#options = options;
    this.#logger = container.logger;
    this.#checkout = new Checkout({ baseUrl: options.url, token: options.token });
  }

  async initiatePayment({ amount, currency_code, data }: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    // What the storefront sends as `data` is not read: Medusa itself adds the id of the session.
    return this.#create(String(data?.["session_id"]), "", priceOf(amount, currency_code));
  }

  /** The price of a payment never changes: another one takes its place, unless money has come to it. */
  async updatePayment({ amount, currency_code, data }: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const price = priceOf(amount, currency_code);
    const payment = await this.#read(data);
    if (payment.displayCurrency === price.displayCurrency && payment.expectedDisplayAmount === price.displayAmount) {
      return { data: { ...data, ...facts(payment) }, status: statusOf(payment) };
    }
    await this.#end(data);
    return this.#create(sessionOf(payment) ?? payment.clientPaymentId, `.${payment.paymentId}.${price.displayAmount}`, price);
  }

  /** The same session again has the same payment. */
  async #create(session: string, suffix: string, price: Price): Promise<InitiatePaymentOutput> {
    const { redirectUrl, locale = "en-US" } = this.#options;
    const returnTo = redirectUrl === undefined ? undefined : new URL(redirectUrl);
    returnTo?.searchParams.set("session_id", session);
    const { paymentInfo, paymentUrl } = await refusals(() =>
      this.#checkout.payments.create({
        clientPaymentId: session + suffix,
        metadata: { session_id: session },
        locale,
        ...price,
        ...(returnTo === undefined ? {} : { redirectUrl: returnTo.href }),
      }),
    );
    const data: SessionData = { ...facts(paymentInfo), paymentUrl, refunds: [], mark: this.#mark(paymentInfo.paymentId) };
    return { id: paymentInfo.paymentId, data, status: statusOf(paymentInfo) };
  }

  /** Until the gateway has answered, `data` of a session is what the storefront sent: it may name the payment of another order. */
  async authorizePayment({ data, context }: AuthorizePaymentInput): Promise<GetPaymentStatusOutput> {
    const payment = await this.#read(data);
    const session = context?.idempotency_key;
    if (session === undefined || sessionOf(payment) !== session) throw notAllowed(`Payment ${payment.paymentId} is not that of session ${session}.`);
    if (isRefundedByShop(payment)) throw notAllowed(`Payment ${payment.paymentId} was given back: start another one.`);
    return { data: { ...data, ...facts(payment) }, status: statusOf(payment) };
  }

  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    const payment = await this.#read(data);
    return { data: { ...data, ...facts(payment) }, status: statusOf(payment) };
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    return { data: { ...data, ...facts(await this.#read(data)) } };
  }

  /** The money is there or not: nothing is captured, it is looked at once more. */
  async capturePayment({ data }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const payment = await this.#read(data);
    if (!isPaid(payment)) {
      throw notAllowed(`Payment ${payment.paymentId} is ${payment.status}: ${facts(payment).missing} ${payment.displayCurrency} are missing.`);
    }
    return { data: { ...data, ...facts(payment) } };
  }

  /** Medusa cancels what it does not want any more, whatever has come: that is the merchant's to give back. */
  async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    if (!(await this.#hasEnded(data))) {
      this.#logger.error(`Payment ${data?.["paymentId"]} was cancelled in the shop, but money has come to it: unless Medusa refunds it, do so at the gateway.`);
    }
    return { data: data ?? {} };
  }

  /** A session that is deleted makes room for one of another price. Money that is on its way would not be seen by the shop. */
  async deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    await this.#end(data);
    return { data: data ?? {} };
  }

  async #end(data: Data): Promise<void> {
    if (await this.#hasEnded(data)) return;
    const payment = await this.#read(data);
    if (isRefundedByShop(payment)) return;
    if (payment.status !== "EXPIRED") {
      throw notAllowed(`Money has come to payment ${payment.paymentId}: the cart cannot change until it is paid, or refunded at the gateway.`);
    }
    this.#logger.warn(`Payment ${payment.paymentId} expired with ${payment.actualDisplayAmount} ${payment.displayCurrency}: its page gives it back, or you do. So with a rest that still comes.`);
  }

  /** Whether the payment takes no money any more; `false` if some has been seen. */
  async #hasEnded(data: Data): Promise<boolean> {
    const id = data?.["paymentId"];
    if (typeof id !== "string") return true;
    if (data?.["mark"] !== this.#mark(id)) {
      this.#logger.error(`Payment ${id} was not ended: the storefront named it, or the secret was rotated. Cancel it at the gateway.`);
      return true;
    }
    try {
      await this.#checkout.payments.cancel(id);
      return true;
    } catch (error) {
      if (error instanceof CheckoutApiError && error.code === "deposit_seen") return false;
      throw error;
    }
  }

  /** The value of today, at most all that came. The same refund of Medusa again is the same refund at the gateway. */
  async refundPayment({ amount, data, context }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const { paymentId, displayCurrency } = await this.#read(data);
    const id = context?.idempotency_key;
    if (id === undefined) throw notAllowed("A refund needs the id that Medusa gives it.");
    const { displayAmount } = priceOf(amount, displayCurrency);
    const known = (data?.["refunds"] ?? []) as SessionRefund[];
    const refund = await refusals(() => this.#refund(paymentId, id, displayAmount));
    const { refundId, amount: coins, currency, claimUrl } = refund;
    const made = { id, refundId, amount: coins, currency, ...(claimUrl === undefined ? {} : { claimUrl }) };
    return { data: { ...data, refunds: [...known.filter((one) => one.id !== id), made] } };
  }

  async #refund(paymentId: string, clientRefundId: string, displayAmount: string) {
    try {
      return await this.#checkout.payments.refund(paymentId, { clientRefundId, displayAmount });
    } catch (error) {
      if (!(error instanceof CheckoutApiError) || !isOfLostValue(error)) throw error;
      this.#logger.warn(`Refund ${clientRefundId} of ${displayAmount} is more than what is left of payment ${paymentId}: all of it goes back.`);
      return this.#checkout.payments.refund(paymentId, { clientRefundId });
    }
  }

  /** The body says that something happened; the gateway says what. */
  async getWebhookActionAndData({ rawData, headers }: ProviderWebhookPayload["payload"]): Promise<WebhookActionResult> {
    const ignored = { action: "not_supported" } as const;
    const { payload } = await verifyWebhook(rawData, headers as Record<string, string>, this.#options.secret);
    const about = payload.type === undefined ? payload : payload.data;
    if (!("paymentId" in about) || typeof about.paymentId !== "string") return ignored;
    const payment = await this.#checkout.payments.get(about.paymentId);
    const session = sessionOf(payment);
    if (session === undefined) return ignored;
    if (payload.type === "deposit.reversed") {
      this.#logger.error(`A transfer to payment ${payment.paymentId} of session ${session} left its chain: the payment is ${payment.status}.`);
    }
    const amount = payment.expectedDisplayAmount ?? "0";
    if (!isPaid(payment)) return { action: "pending", data: { session_id: session, amount } };
    if (payment.cancelledAt !== undefined) {
      this.#logger.error(`Payment ${payment.paymentId} of session ${session} was paid after it was cancelled: ship, or refund it at the gateway.`);
      return ignored;
    }
    if (isRefundedByShop(payment)) return ignored;
    return { action: "captured", data: { session_id: session, amount } };
  }

  #mark(paymentId: string): string {
    return createHmac("sha256", this.#options.secret).update(`session of ${paymentId}`).digest("hex");
  }

  async #read(data: Data): Promise<Payment> {
    const id = data?.["paymentId"];
    if (typeof id !== "string") throw notAllowed("The session has no payment at the gateway.");
    return refusals(() => this.#checkout.payments.get(id));
  }
}

type Data = Record<string, unknown> | undefined;

function sessionOf(payment: Payment): string | undefined {
  return payment.metadata?.["session_id"];
}

/** What the gateway answers when the coin has lost value: to the first request, and to the same one again after what followed. */
function isOfLostValue({ code, errors }: CheckoutApiError): boolean {
  return code === "client_refund_id_taken" || errors.some((one) => one.code === "above_refundable");
}
