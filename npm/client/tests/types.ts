// Compiled but never run: valid and invalid uses of the types.
import { Checkout, CheckoutApiError, type CreatePayment, type Payment, verifyWebhook } from "@crypto-checkout/client";

const checkout = new Checkout({ baseUrl: "https://pay.example", token: "biz_1" });

export const order: CreatePayment = {
  clientPaymentId: "order-1",
  locale: "de-DE",
  displayCurrency: "EUR",
  displayAmount: "25.00",
};
// @ts-expect-error: an unknown field would be refused
export const misspelled: CreatePayment = { ...order, displayAmmount: "25.00" };
// @ts-expect-error: a locale that there is not
export const spoken: CreatePayment = { ...order, locale: "xx-XX" };
// @ts-expect-error: the id is required
export const nameless: CreatePayment = { locale: "de-DE" };

export async function use(body: Uint8Array, headers: Record<string, string>): Promise<string[]> {
  const seen: string[] = [];
  for await (const payment of checkout.payments.list({ status: "DEPOSITED", from: 1_800_000_000 })) {
    const amount: Payment["actualDepositAmount"] = payment.actualDepositAmount;
    seen.push(amount);
  }
  // @ts-expect-error: no such filter
  checkout.payments.list({ state: "DEPOSITED" });
  // @ts-expect-error: the list goes on from `after`
  checkout.payments.list({ before: "id" });
  const { id, payload } = await verifyWebhook(body, headers, ["whsec_1", "whsec_2"]);
  switch (payload.type) {
    case undefined:
      seen.push(payload.status);
      break;
    case "payment.status":
      seen.push(payload.data.paymentId);
      break;
    case "deposit.reversed":
      seen.push(payload.data.reversedFor ?? id);
      break;
    // @ts-expect-error: no such event
    case "payment.stolen":
      break;
    default:
  }
  try {
    seen.push((await checkout.payments.refund("id", { clientRefundId: "refund-1" })).status);
  } catch (error) {
    if (error instanceof CheckoutApiError) seen.push(error.code, error.pointer ?? "", error.requestId ?? "");
  }
  return seen;
}
