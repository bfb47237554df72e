// One checkout in its frame, from the first request to its removal.
import { PROTOCOL, hello, readMessage } from "./messages";
import { Modal } from "./modal";
import { box, notice, pageLink, remainButton, retryButton, slot } from "./parts";
import type { Place } from "./place";
import type { CheckoutEventDetails } from "./types";
import { parseUrl, redirect, redirectTarget } from "./url";
import type { Words } from "./words";

/** Milliseconds without an answer after which the checkout counts as failed. */
const TIMEOUT = 20_000;
/** Milliseconds between two attempts to reach the page. */
const HELLO_INTERVAL = 250;
const HELLO_INTERVAL_AFTER_TIMEOUT = 2_000;
/** Milliseconds in which the customer can read that the payment is complete. */
const REDIRECT_DELAY = 5_000;

/** What the page in the frame says if the gateway does not let this page embed it. */
const REFUSED = "origin-not-allowed";

/** Dispatches an event on the element; returns false if a listener prevented its default. */
export type Emit = <Type extends keyof CheckoutEventDetails>(type: Type, detail: CheckoutEventDetails[Type]) => boolean;

/** The statuses of a payment for which something may be on its way. */
const UNDER_WAY = ["PENDING", "AWAITING"];

interface Options {
  url: URL | undefined;
  words: Words;
  title: string;
  isModal: boolean;
  placeOf: (url: URL, title: string) => Place;
  emit: Emit;
  restart: () => void;
}

type Timer = ReturnType<typeof setTimeout> | undefined;

export class Checkout {
  readonly modal: Modal | undefined;
  readonly #options: Options;
  readonly #url: URL | undefined;
  /** Distinguishes this frame's messages from those of other frames on the page. */
  readonly #instance = crypto.getRandomValues(new Uint32Array(4)).join("-");
  readonly #stopped = new AbortController();
  readonly #place: Place | undefined;
  readonly #notice = notice();
  readonly #box: HTMLElement;
  #hello: Timer;
  #timeout: Timer;
  #redirect: Timer;
  #status = "";
  /** The page answers each greeting, and several may wait for it. */
  #ready = false;
  #completed = false;
  #leaving = false;
  /** The page has loaded since its last answer. */
  #asked = false;
  #refused = false;

  constructor(options: Options) {
    this.#options = options;
    this.#url = options.url;
    this.#place = this.#url && options.placeOf(this.#url, options.title);
    this.#box = box(this.#notice, ...(this.#place ? [this.#place.element] : []));
    const theme = this.#url?.searchParams.get("theme");
    const isUnderWay = () => UNDER_WAY.includes(this.#status) && !this.#completed;
    if (options.isModal) this.modal = new Modal(options.words, options.title, theme, this.#box, isUnderWay);
  }

  start(root: ShadowRoot): void {
    const { signal } = this.#stopped;
    this.modal?.dialog.addEventListener("close", () => this.#closed(), { signal });
    document.addEventListener("securitypolicyviolation", (event) => this.#violated(event), { signal });
    const opened = this.#place?.open(() => this.#loaded(), (data) => this.#receive(data), signal);
    root.append(this.modal?.dialog ?? this.#box);
    this.modal?.open();
    if (!opened) return this.#fail("invalid-url");
    this.#show("loading", slot("loading", this.#options.words.loading));
    this.#expectAnswer();
    opened.catch((error) => {
      console.error(error);
      clearTimeout(this.#timeout);
      this.#fail("unreachable");
    });
  }

  stop(): void {
    this.#stopped.abort();
    clearInterval(this.#hello);
    clearTimeout(this.#timeout);
    clearTimeout(this.#redirect);
    this.modal?.stop();
  }

  #show(state: "loading" | "loaded" | "answered" | "answered leaving" | "failed" | "failed refused", ...content: Node[]): void {
    this.#box.className = state;
    this.#notice.replaceChildren(...content);
  }

  #fail(code: string): void {
    const { words, restart } = this.#options;
    const actions = this.#url ? [retryButton(words, restart), pageLink(words, this.#url)] : [];
    this.#show("failed", slot("error", words.error), ...actions);
    this.#options.emit("error", { code });
  }

  #loaded(): void {
    if (this.#refused) return;
    this.#ready = false;
    this.#show("loaded");
    // A page that reloads itself without an answer has failed in the end.
    if (!this.#asked) this.#expectAnswer();
    this.#asked = true;
    this.#sayHello(HELLO_INTERVAL);
  }

  /** The page may not show the checkout, which its own page still does. */
  #refuse(code: string): void {
    this.#refused = true;
    clearInterval(this.#hello);
    clearTimeout(this.#timeout);
    const { words } = this.#options;
    this.#show("failed refused", slot("error", words.refused), pageLink(words, this.#url!));
    this.#options.emit("error", { code });
  }

  #violated({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent): void {
    const origin = this.#url?.origin;
    if (effectiveDirective !== "frame-src" || !origin || parseUrl(blockedURI)?.origin !== origin) return;
    console.error(`<${PROTOCOL}>: the Content-Security-Policy of this page blocks the checkout. Allow it: frame-src ${origin}`);
    this.#refuse("frame-blocked");
  }

  #sayHello(interval: number): void {
    clearInterval(this.#hello);
    const post = () => this.#place!.tell(hello(this.#instance));
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

  #receive(data: unknown): void {
    const message = readMessage(data, this.#instance);
    if (!message) return;
    clearInterval(this.#hello);
    clearTimeout(this.#timeout);
    this.#asked = false;
    const { type, detail } = message;
    if (type === "error" && detail.code === REFUSED) return this.#refuse(REFUSED);
    if (!this.#leaving) this.#show("answered");
    if (type === "ready" && this.#ready) return;
    this.#ready ||= type === "ready";
    // A page that nothing keeps up to date reloads itself, and says its status each time.
    if (type === "status" && this.#status === detail.status) return;
    if (type === "status") this.#status = detail.status;
    if (type === "expired") this.#status = "";
    if (type === "resize") this.#place!.setHeight(detail.height);
    else if (type === "close" && this.modal) this.modal.leave();
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
    const isWanted = this.#options.emit("complete", detail) && this.modal?.dialog.open !== false;
    if (!isWanted || !target) return;
    this.#redirect = setTimeout(redirect, REDIRECT_DELAY, target);
    this.#leaving = true;
    const { words } = this.#options;
    const remain = () => {
      clearTimeout(this.#redirect);
      this.#leaving = false;
      this.#show("answered");
    };
    this.#show("answered leaving", slot("leaving", words.leaving), remainButton(words, remain));
  }
}
