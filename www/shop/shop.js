// What the checkout says, shown to the customer. The order counts as paid only when the shop's own
// server has asked the gateway: see /thanks.
const WORDS = {
  NEW: "Waiting for your payment.",
  PENDING: "Waiting for your payment.",
  AWAITING: "We see your payment. Waiting for the network to confirm it.",
  DEPOSITED: "Payment received.",
  OVERPAID: "Payment received, with a little extra.",
  EXPIRED: "The time to pay has passed. Nothing was received.",
};

const checkout = document.querySelector("crypto-checkout");
const line = document.querySelector("[data-part=shop-status]");

const tell = (value, text) => {
  line.dataset.value = value;
  line.textContent = text;
};

checkout.addEventListener("checkout:status", ({ detail }) => {
  tell(detail.status, WORDS[detail.status] ?? "Waiting for your payment.");
});
checkout.addEventListener("checkout:complete", ({ detail }) => {
  line.dataset.complete = "true";
  tell(detail.status, "Payment complete. Taking you to your receipt…");
});
checkout.addEventListener("checkout:error", ({ detail }) => {
  if (detail.code === "timeout") tell("", "The payment page is slow to answer. You can open it on its own, below.");
});
