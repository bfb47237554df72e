// Compiled but never run: a CommonJS program.
import client = require("@crypto-checkout/client");

export const checkout: client.Checkout = new client.Checkout({ baseUrl: "https://pay.example", token: "biz_1" });
export const created: Promise<client.CreatedPayment> = checkout.payments.create({ clientPaymentId: "order-1", locale: "en-US" });
