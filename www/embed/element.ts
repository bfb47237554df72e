// The custom element: attributes, methods and events as types.ts describes them.
import css from "style";
import { Checkout, type Emit } from "./checkout";
import { PROTOCOL } from "./messages";
import { make, pageLink, slot } from "./parts";
import { Frame, type Place } from "./place";
import type { CheckoutMode, CheckoutTheme, CryptoCheckoutElement } from "./types";
import { pageUrl } from "./url";
import { wordsOf } from "./words";

export class CryptoCheckout extends HTMLElement implements CryptoCheckoutElement {
  /** Where the page stands in each mode. The script of the kit has one more. */
  static places: Record<string, (url: URL, title: string) => Place> = {
    frame: (url, title) => new Frame(url, title),
    modal: (url, title) => new Frame(url, title, `${PROTOCOL}-modal`),
  };
  static observedAttributes = ["payment-url", "mode", "open-on", "theme", "locale"];
  #restartQueued = false;
  #checkout: Checkout | undefined;
  /** Ends the wait for a press of the button. */
  #waiting: AbortController | undefined;

  /** The style, where a sheet cannot be made without an element. */
  readonly #style: Node[] = [];

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    try {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      root.adoptedStyleSheets = [sheet];
    } catch {
      this.#style = [make("style", {}, css)];
    }
  }

  get paymentUrl(): string | null {
    return this.getAttribute("payment-url");
  }

  set paymentUrl(url: string | null) {
    this.#set("payment-url", url);
  }

  get mode(): CheckoutMode {
    const mode = this.getAttribute("mode") ?? "";
    return Object.hasOwn(CryptoCheckout.places, mode) ? (mode as CheckoutMode) : "frame";
  }

  set mode(mode: CheckoutMode) {
    this.setAttribute("mode", mode);
  }

  get openOn(): string | null {
    return this.getAttribute("open-on");
  }

  set openOn(id: string | null) {
    this.#set("open-on", id);
  }

  get theme(): CheckoutTheme | null {
    return this.getAttribute("theme") as CheckoutTheme | null;
  }

  set theme(theme: CheckoutTheme | null) {
    this.#set("theme", theme);
  }

  get locale(): string | null {
    return this.getAttribute("locale");
  }

  set locale(locale: string | null) {
    this.#set("locale", locale);
  }

  open(): void {
    if (this.#checkout) this.#checkout.modal?.open();
    else if (this.isConnected && this.mode === "modal" && this.paymentUrl) this.#start(this.paymentUrl);
  }

  close(): void {
    this.#checkout?.modal?.dialog.close();
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

  #set(name: string, value: string | null): void {
    if (value === null || value === undefined) this.removeAttribute(name);
    else this.setAttribute(name, value);
  }

  /** Changes of several attributes at once make one restart. */
  #restart(): void {
    if (this.#restartQueued) return;
    this.#restartQueued = true;
    queueMicrotask(() => {
      this.#restartQueued = false;
      this.#stop();
      if (!this.isConnected || !this.paymentUrl) return;
      if (this.mode === "modal" && this.openOn) this.#wait(this.openOn);
      else this.#start(this.paymentUrl);
    });
  }

  #stop(): void {
    this.#waiting?.abort();
    this.#checkout?.stop();
    this.#checkout = undefined;
    this.shadowRoot!.replaceChildren(...this.#style);
  }

  /** The button need not be there yet. */
  #wait(id: string): void {
    this.#waiting = new AbortController();
    const isButton = (target: EventTarget) => (target as Partial<Element>).id === id;
    const onClick = (event: Event) => event.composedPath().some(isButton) && this.open();
    document.addEventListener("click", onClick, { signal: this.#waiting.signal });
  }

  #start(paymentUrl: string): void {
    const mode = this.getAttribute("mode") ?? "frame";
    if (mode !== this.mode) console.warn(`<${PROTOCOL}>: this mode is not supported yet; "frame" is used.`);
    const url = pageUrl(paymentUrl, this.theme, this.locale);
    const words = wordsOf(url);
    const options = {
      url,
      words,
      title: this.getAttribute("aria-label") || words.title,
      isModal: this.mode === "modal" && "HTMLDialogElement" in window,
      placeOf: CryptoCheckout.places[this.mode]!,
      emit: this.#emit,
      restart: () => this.#restart(),
    };
    try {
      this.#checkout = new Checkout(options);
      this.#checkout.start(this.shadowRoot!);
    } catch (error) {
      console.error(error);
      const more = url ? [" ", pageLink(words, url)] : [];
      const notice = make("p", { part: "notice" }, slot("error", words.error), ...more);
      this.shadowRoot!.replaceChildren(...this.#style, notice);
      this.#emit("error", { code: "failed" });
    }
  }

  #emit: Emit = (type, detail) => {
    const cancelable = type === "complete";
    return this.dispatchEvent(
      new CustomEvent(`checkout:${type}`, { bubbles: true, composed: true, cancelable, detail: Object.freeze(detail) }),
    );
  };
}
