// The custom element: attributes, methods and events as types.ts describes them.
import css from "style";
import { Checkout, type Emit } from "./checkout";
import { PROTOCOL } from "./messages";
import type { CryptoCheckoutElement } from "./types";

export class CryptoCheckout extends HTMLElement implements CryptoCheckoutElement {
  static observedAttributes = ["payment-url", "mode"];
  #restartQueued = false;
  #checkout: Checkout | undefined;

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet];
  }

  get paymentUrl(): string | null {
    return this.getAttribute("payment-url");
  }

  set paymentUrl(url: string | null) {
    if (url === null || url === undefined) this.removeAttribute("payment-url");
    else this.setAttribute("payment-url", url);
  }

  get mode(): "frame" | "modal" {
    return this.getAttribute("mode") === "modal" ? "modal" : "frame";
  }

  set mode(mode: "frame" | "modal") {
    this.setAttribute("mode", mode);
  }

  open(): void {
    const dialog = this.#dialog();
    if (dialog && !dialog.open) dialog.showModal();
  }

  close(): void {
    this.#dialog()?.close();
  }

  connectedCallback(): void {
    this.#restart();
  }

  disconnectedCallback(): void {
    this.#restart();
  }

  /** `moveBefore` keeps the frame and its checkout. */
  connectedMoveCallback(): void {}

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (before !== after) this.#restart();
  }

  #dialog(): HTMLDialogElement | null {
    return this.shadowRoot!.querySelector("dialog");
  }

  /** Changes of several attributes at once make one restart. */
  #restart(): void {
    if (this.#restartQueued) return;
    this.#restartQueued = true;
    queueMicrotask(() => {
      this.#restartQueued = false;
      this.#stop();
      if (this.isConnected && this.paymentUrl) this.#start(this.paymentUrl);
    });
  }

  #stop(): void {
    this.#checkout?.stop();
    this.#checkout = undefined;
    this.shadowRoot!.replaceChildren();
  }

  #start(paymentUrl: string): void {
    const mode = this.getAttribute("mode") ?? "frame";
    if (mode !== "frame" && mode !== "modal") console.warn(`<${PROTOCOL}>: this mode is not supported yet; "frame" is used.`);
    this.#checkout = new Checkout({
      paymentUrl,
      title: this.getAttribute("aria-label") || "Payment in cryptocurrency",
      isModal: this.mode === "modal",
      emit: this.#emit,
      restart: () => this.#restart(),
    });
    this.#checkout.start(this.shadowRoot!);
  }

  #emit: Emit = (type, detail) => {
    const cancelable = type === "complete";
    return this.dispatchEvent(
      new CustomEvent(`checkout:${type}`, { bubbles: true, composed: true, cancelable, detail: Object.freeze(detail) }),
    );
  };
}
