// Shows the checkout's events to the customer. The shop's server queries the gateway for the payment status:
// see /thanks.
import type {} from "../embed/types";

const TEXTS: Record<string, string> = {
  NEW: "Waiting for your payment.",
  PENDING: "Waiting for your payment.",
  AWAITING: "We have detected your payment. Waiting for the network to confirm it.",
  DEPOSITED: "Payment received.",
  OVERPAID: "Payment received: more than the price.",
  EXPIRED: "The time to pay is over. Nothing was received.",
};

const checkout = document.querySelector("crypto-checkout")!;
const line = document.querySelector<HTMLElement>("[data-part=shop-status]")!;

function show(status: string, text: string): void {
  line.dataset.value = status;
  line.textContent = text;
}

checkout.addEventListener("checkout:status", ({ detail }) => {
  show(detail.status, TEXTS[detail.status] ?? "Waiting for your payment.");
});
checkout.addEventListener("checkout:complete", ({ detail }) => {
  line.dataset.complete = "true";
  show(detail.status, "Payment complete. Taking you to your receipt…");
});
checkout.addEventListener("checkout:error", ({ detail }) => {
  if (detail.code === "timeout") show("", "The payment page does not answer. Open it on its own page below.");
});
