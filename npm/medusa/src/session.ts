import type { Deposit, Payment } from "@crypto-checkout/client";
import type { PaymentSessionStatus } from "@medusajs/framework/types";
import { MathBN } from "@medusajs/framework/utils";
import { missingOf } from "./money";

/** A refund at the gateway, by Medusa's id. */
export interface SessionRefund {
  id: string;
  refundId: string;
  /** What the payer gets, in the coin. */
  amount: string;
  currency: string;
  /** Where the payer names the address. Whoever has the link can ask for the money. */
  claimUrl?: string;
}

/** What the gateway says of the payment. */
export interface Facts {
  paymentId: string;
  currency: string;
  amount: string;
  /** What has been credited, and what is missing, in the currency of the order. */
  received: string;
  missing: string;
  /** The same in the coin that the payer chose, with transfers that are in no block yet, without held ones. `null` before the choice. */
  coin: { currency: string; network: string; address: string; amount: string; missing: string } | null;
}

/** `data` of a payment session, which the storefront reads, and of a payment. */
export interface SessionData extends Facts, Record<string, unknown> {
  /** Where the payer pays. */
  paymentUrl: string;
  /** By this the provider knows its own `data`. */
  mark: string;
  refunds: SessionRefund[];
}

export function facts(payment: Payment): Facts {
  const amount = payment.expectedDisplayAmount ?? "0";
  const paid = isPaid(payment);
  return {
    paymentId: payment.paymentId,
    currency: payment.displayCurrency,
    amount,
    received: payment.actualDisplayAmount,
    missing: paid ? "0" : missingOf(amount, [payment.actualDisplayAmount]),
    coin: coin(payment, paid),
  };
}

function coin(payment: Payment, paid: boolean): Facts["coin"] {
  const { depositCurrency: currency, expectedNetwork: network, walletAddress: address } = payment;
  const amount = payment.expectedDepositAmount;
  if (currency === undefined || network === undefined || address === undefined || amount === undefined) return null;
  const pays = (one: Deposit) => one.depositCurrency === currency && one.toAddress === address && one.hold === undefined;
  const seen = payment.deposits.filter(pays);
  const missing = paid ? "0" : missingOf(amount, seen.map((one) => one.depositAmount));
  return { currency, network, address, amount, missing };
}

export function isPaid(payment: Payment): boolean {
  return payment.status === "DEPOSITED" || payment.status === "OVERPAID";
}

/** Whether Medusa gave it back: its refunds have its own ids. Nothing is sold for it any more. */
export function isRefundedByShop(payment: Payment): boolean {
  const isByShop = (id: string | undefined) => id?.startsWith("ref_") === true;
  const lasts = (status: string) => status === "PENDING" || status === "CONFIRMED";
  return (payment.refunds ?? []).some(({ clientRefundId, status }) => isByShop(clientRefundId) && lasts(status));
}

/**
 * Medusa's status. A payer who has sent everything gets an order, whose payment follows with the block; one who has sent a part does not.
 * An expired payment is no end: late money counts.
 */
export function statusOf(payment: Payment): PaymentSessionStatus {
  if (isPaid(payment)) return "captured";
  if (payment.cancelledAt !== undefined) return "canceled";
  const isAllSent = MathBN.eq(coin(payment, false)?.missing ?? 1, 0);
  return payment.status === "AWAITING" && isAllSent ? "pending_authorization" : "pending";
}
