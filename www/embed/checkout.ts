// One checkout in its frame, from the first request to its removal.
import { PROTOCOL, hello, readMessage } from "./messages";
import { isOriginRefused } from "./origin";
import { box, dialogOf, frameOf, notice, pageLink, retryButton, slot } from "./parts";
import type { CheckoutEventDetails } from "./types";
import { parseUrl, redirect, redirectTarget } from "./url";

/** Milliseconds without an answer after which the checkout counts as failed. */
const TIMEOUT = 20_000;
/** Milliseconds between two attempts to reach the page. */
const HELLO_INTERVAL = 250;
const HELLO_INTERVAL_AFTER_TIMEOUT = 2_000;
/** Milliseconds that a loaded page has to answer before the origin is checked. */
const ORIGIN_CHECK_DELAY = 400;
/** Milliseconds in which the customer can read that the payment is complete. */
const REDIRECT_DELAY = 5_000;

/** Dispatches an event on the element; returns false if a listener prevented its default. */
export type Emit = <Type extends keyof CheckoutEventDetails>(type: Type, detail: CheckoutEventDetails[Type]) => boolean;

interface Options {
  paymentUrl: string;
  title: string;
  isModal: boolean;
  emit: Emit;
  restart: () => void;
}

type Timer = ReturnType<typeof setTimeout> | undefined;

export class Checkout {
  readonly #options: Options;
  readonly #url: URL | undefined;
  /** Distinguishes this frame's messages from those of other frames on the page. */
  readonly #instance = crypto.getRandomValues(new Uint32Array(4)).join("-");
  readonly #stopped = new AbortController();
  readonly #frame: HTMLIFrameElement;
  readonly #notice = notice();
  readonly #box: HTMLElement;
  readonly #dialog: HTMLDialogElement | undefined;
  #hello: Timer;
  #timeout: Timer;
  #originCheck: Timer;
  #redirect: Timer;
  #answered = false;
  #completed = false;

  constructor(options: Options) {
    this.#options = options;
    this.#url = parseUrl(options.paymentUrl, document.baseURI);
    this.#frame = frameOf(this.#url, options.title);
    this.#box = box(this.#notice, this.#frame);
    if (options.isModal) this.#dialog = dialogOf(options.title, this.#url?.searchParams.get("theme"), this.#box);
  }

  start(root: ShadowRoot): void {
    const { signal } = this.#stopped;
    if (this.#url) {
      addEventListener("message", (event) => this.#receive(event), { signal });
      this.#frame.addEventListener("load", () => this.#loaded());
    }
    this.#dialog?.addEventListener("close", () => this.#closed(), { signal });
    root.append(this.#dialog ?? this.#box);
    this.#dialog?.showModal();
    if (!this.#url) return this.#fail("invalid-url");
    this.#show("loading", slot("loading", "Loading the checkout…"));
    this.#expectAnswer();
  }

  stop(): void {
    this.#stopped.abort();
    clearInterval(this.#hello);
    clearTimeout(this.#timeout);
    clearTimeout(this.#originCheck);
    clearTimeout(this.#redirect);
    this.#dialog?.close();
  }

  #show(state: "loading" | "loaded" | "answered" | "failed" | "failed refused", ...content: Node[]): void {
    this.#box.className = state;
    this.#notice.replaceChildren(...content);
  }

  #fail(code: string): void {
    const actions = this.#url ? [retryButton(this.#options.restart), pageLink(this.#url)] : [];
    this.#show("failed", slot("error", "The checkout could not be loaded."), ...actions);
    this.#options.emit("error", { code });
  }

  #loaded(): void {
    this.#show("loaded");
    this.#expectAnswer();
    this.#sayHello(HELLO_INTERVAL);
    clearTimeout(this.#originCheck);
    this.#originCheck = setTimeout(() => this.#checkOrigin(this.#url!), ORIGIN_CHECK_DELAY);
  }

  async #checkOrigin(url: URL): Promise<void> {
    const isRefused = await isOriginRefused(url);
    if (!isRefused || this.#answered || this.#stopped.signal.aborted) return;
    clearInterval(this.#hello);
    clearTimeout(this.#timeout);
    console.error(
      `<${PROTOCOL}>: ${location.origin} is not an allowed origin of the business, so the browser does not show the checkout here. ` +
        `Allow it: checkout business update ID --add-origin ${location.origin}`,
    );
    this.#show("failed refused", slot("error", "The checkout cannot be shown on this page."), pageLink(url));
    this.#options.emit("error", { code: "origin-not-allowed" });
  }

  #sayHello(interval: number): void {
    clearInterval(this.#hello);
    const post = () => this.#frame.contentWindow?.postMessage(hello(this.#instance), this.#url!.origin);
    this.#hello = setInterval(post, interval);
    post();
  }

  /** Starts the timeout. A page that answers later is still shown. */
  #expectAnswer(): void {
    clearTimeout(this.#timeout);
    this.#timeout = setTimeout(() => {
      this.#fail("timeout");
      if (this.#hello) this.#sayHello(HELLO_INTERVAL_AFTER_TIMEOUT);
    }, TIMEOUT);
  }

  #receive(event: MessageEvent): void {
    if (!event.source || event.source !== this.#frame.contentWindow || event.origin !== this.#url!.origin) return;
    const message = readMessage(event.data, this.#instance);
    if (!message) return;
    clearInterval(this.#hello);
    clearTimeout(this.#timeout);
    clearTimeout(this.#originCheck);
    this.#answered = true;
    this.#show("answered");
    const { type, detail } = message;
    if (type === "resize") this.#frame.style.height = `${Math.ceil(detail.height)}px`;
    else if (type === "close" && this.#dialog) this.#dialog.close();
    else if (type === "complete") this.#complete(detail);
    else this.#options.emit(type, detail as never);
  }

  /** The customer is back on the page, and stays there. */
  #closed(): void {
    clearTimeout(this.#redirect);
    this.#options.emit("close", {});
  }

  #complete(detail: CheckoutEventDetails["complete"]): void {
    if (this.#completed) return;
    this.#completed = true;
    const target = redirectTarget(detail.redirectUrl, this.#url!);
    const isWanted = this.#options.emit("complete", detail) && this.#dialog?.open !== false;
    if (isWanted && target) this.#redirect = setTimeout(redirect, REDIRECT_DELAY, target);
  }
}
