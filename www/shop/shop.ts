// Shows the checkout's events to the customer, and to the developer who tries the shop. The shop's server queries the
// gateway for the payment status: see /thanks.
import type { CheckoutEventDetails } from "../embed/types";
import { greet } from "./iframe";

const TEXTS: Record<string, string> = {
  NEW: "Waiting for your payment.",
  PENDING: "Waiting for your payment.",
  AWAITING: "We have detected your payment. Waiting for the network to confirm it.",
  DEPOSITED: "Payment received.",
  OVERPAID: "Payment received: more than the price.",
  EXPIRED: "The time to pay is over. Nothing was received.",
};

const EVENTS: (keyof CheckoutEventDetails)[] = ["ready", "status", "complete", "expired", "close", "error"];

const line = document.querySelector<HTMLElement>("[data-part=shop-status]")!;
const events = document.querySelector<HTMLElement>("[data-part=events]")!;
const again = document.querySelector<HTMLElement>("[data-part=pay-again]")!;

function show(status: string, text: string): void {
  line.dataset.value = status;
  line.textContent = text;
}

/** A line of the list of events. */
function list(name: string, detail: object | null): void {
  const entry = document.createElement("li");
  const title = document.createElement("b");
  title.textContent = name;
  const time = new Date().toLocaleTimeString("en-GB");
  entry.append(time, " ", title, " ", JSON.stringify(detail ?? {}));
  events.append(entry);
  events.scrollTop = events.scrollHeight;
}

/** `isTaken`: the checkout takes the customer to the receipt. */
function follow(type: string, detail: { paymentId?: string; status?: string; code?: string }, isTaken = false): void {
  if (type === "status") show(detail.status ?? "", TEXTS[detail.status ?? ""] ?? "Waiting for your payment.");
  if (type === "complete") {
    line.dataset.complete = "true";
    show(detail.status ?? "", `Payment complete.${isTaken ? " Taking you to your receipt…" : ""}`);
  }
  if (type === "error" && detail.code === "timeout") {
    show("", "The payment page does not answer. Choose “Link” above.");
  }
}

const checkout = document.querySelector("crypto-checkout");
for (const type of EVENTS) {
  checkout?.addEventListener(`checkout:${type}`, ({ detail }) => {
    list(`checkout:${type}`, detail);
    // A dialog that is closed takes the customer nowhere, and can be opened again.
    const isClosed = !!checkout!.shadowRoot?.querySelector("dialog:not([open])");
    follow(type, detail, "redirectUrl" in detail && !!detail.redirectUrl && !isClosed);
    if (type === "close" && line.dataset.complete) show(line.dataset.value!, "Payment complete.");
    else if (type === "close") again.hidden = checkout!.hasAttribute("open-on");
  });
}
again.addEventListener("click", () => {
  again.hidden = true;
  checkout!.open();
});

const iframe = document.querySelector<HTMLIFrameElement>("iframe.checkout");
if (iframe) {
  greet(iframe, (message) => {
    const { type, protocol: _protocol, version: _version, instance: _instance, ...detail } = message;
    if (type === "resize") iframe.height = String(message.height);
    else list(`message: ${type}`, detail);
    follow(type, message);
  });
}
