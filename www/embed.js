// <crypto-checkout payment-url="…" mode="frame">: a hosted checkout inside a merchant's page.
// Attributes, methods and events are described in embed.d.ts, beside this file.
{
  const NAME = "crypto-checkout";
  const VERSION = 1;
  const PATIENCE = 20_000; // until a page that does not answer counts as failed
  const REDIRECT_AFTER = 5_000; // for the payer to read that the payment is complete
  const SANDBOX =
    "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox " +
    "allow-top-navigation-by-user-activation allow-top-navigation-to-custom-protocols";

  // Until the page has drawn itself over it, the notice is seen through the frame.
  const STYLE = `
    :host { display: block }
    :host([hidden]) { display: none }
    [part=box] { position: relative; min-height: var(--crypto-checkout-height, 640px) }
    [part=frame] { position: relative; display: block; width: 100%; height: var(--crypto-checkout-height, 640px); border: 0 }
    [part=notice] {
      position: absolute; inset: 0; display: grid; place-content: center; justify-items: center; gap: 12px;
      padding: 24px; box-sizing: border-box; border: 1px solid #8886; border-radius: 12px;
      font: 16px/1.5 system-ui, sans-serif; text-align: center;
    }
    .loaded [part=notice], .answered [part=notice] { display: none }
    .answered, .failed { min-height: 0 !important }
    .failed [part=notice] { position: static }
    .failed [part=frame] { height: 360px !important; margin-top: 8px }
    button, a { font: inherit; color: inherit; min-height: 44px; min-width: 44px; box-sizing: border-box }
    button { padding: 8px 20px; border: 1px solid; border-radius: 12px; background: none; cursor: pointer }
    a { padding: 8px }
    dialog {
      width: min(480px, 100vw); max-width: none; max-height: 100dvh; padding: 0; border: 0; border-radius: 12px;
      overflow: auto; overscroll-behavior: contain; background: Canvas; color: CanvasText;
    }
    dialog::backdrop { background: #0009 }
    dialog [part=notice] { border: 0 }
    [part=close] { display: block; margin: 4px 4px 4px auto; padding: 0; border: 0; font-size: 24px; line-height: 1 }
    @media (max-width: 480px) { dialog { height: 100dvh; border-radius: 0 } }
  `;

  const matches = (pattern) => (value) => typeof value === "string" && pattern.test(value);
  const paymentId = matches(/^[\w-]{1,64}$/);
  const status = matches(/^[A-Z_]{1,32}$/);
  // What a message of each type must carry; anything else in it goes no further.
  const SCHEMA = {
    ready: {},
    resize: { height: (value) => Number.isFinite(value) && value > 0 && value <= 20_000 },
    status: { paymentId, status },
    complete: { paymentId, status, redirectUrl: (value) => value === undefined || matches(/^.{1,2048}$/)(value) },
    expired: { paymentId },
    error: { code: matches(/^[\w-]{1,64}$/) },
    close: {},
  };

  const read = (data, instance) => {
    if (data?.protocol !== NAME || data.version !== VERSION || data.instance !== instance) return;
    if (!Object.hasOwn(SCHEMA, data.type)) return;
    const detail = {};
    for (const [field, accepts] of Object.entries(SCHEMA[data.type])) {
      if (!accepts(data[field])) return;
      if (data[field] !== undefined) detail[field] = data[field];
    }
    return detail;
  };

  const parse = (text, base) => {
    try {
      const url = new URL(text, base);
      return /^https?:$/.test(url.protocol) ? url : undefined;
    } catch {}
  };

  const make = (tag, attributes, ...children) => {
    const element = document.createElement(tag);
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    element.append(...children);
    return element;
  };

  const leave = (url) => {
    try {
      window.top.location.href = url;
    } catch {
      window.location.href = url; // a foreign page around the merchant's
    }
  };

  class CryptoCheckout extends HTMLElement {
    static observedAttributes = ["payment-url", "mode"];
    #queued = false;
    #stop = () => {};

    constructor() {
      super();
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
      this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet];
    }

    get paymentUrl() {
      return this.getAttribute("payment-url");
    }

    set paymentUrl(url) {
      url == null ? this.removeAttribute("payment-url") : this.setAttribute("payment-url", url);
    }

    get mode() {
      return this.getAttribute("mode") === "modal" ? "modal" : "frame";
    }

    set mode(mode) {
      this.setAttribute("mode", mode);
    }

    connectedCallback() {
      this.#restart();
    }

    disconnectedCallback() {
      this.#restart();
    }

    connectedMoveCallback() {} // moved by moveBefore: the frame lives on

    attributeChangedCallback(_name, before, after) {
      if (before !== after) this.#restart();
    }

    /** Opens a closed modal again. */
    open() {
      const dialog = this.shadowRoot.querySelector("dialog");
      if (dialog && !dialog.open) dialog.showModal();
    }

    close() {
      this.shadowRoot.querySelector("dialog")?.close();
    }

    // Several changes in one go make one start.
    #restart() {
      if (this.#queued) return;
      this.#queued = true;
      queueMicrotask(() => {
        this.#queued = false;
        this.#stop();
        this.#stop = () => {};
        if (this.isConnected && this.paymentUrl) this.#start();
      });
    }

    #emit(type, detail) {
      const cancelable = type === "complete";
      return this.dispatchEvent(
        new CustomEvent("checkout:" + type, { bubbles: true, composed: true, cancelable, detail: Object.freeze(detail) }),
      );
    }

    #start() {
      const url = parse(this.paymentUrl, document.baseURI);
      const title = this.getAttribute("aria-label") || "Payment in cryptocurrency";
      const instance = crypto.getRandomValues(new Uint32Array(4)).join("-");
      const stopped = new AbortController();
      const { signal } = stopped;
      let hello, patience, redirect, dialog;
      let completed = false;

      const frame = make("iframe", {
        part: "frame", title, allow: "clipboard-write", referrerpolicy: "no-referrer", sandbox: SANDBOX, ...(url && { src: url }),
      });
      const notice = make("div", { part: "notice", role: "status" });
      const box = make("div", { part: "box" }, notice, frame);

      const show = (state, ...content) => {
        box.className = state;
        notice.replaceChildren(...content);
      };
      const slot = (name, text) => make("slot", { name }, text);
      const fail = (code) => {
        const retry = make("button", { type: "button", part: "retry" }, slot("retry", "Try again"));
        retry.addEventListener("click", () => this.#restart());
        const own = url && make("a", { href: url, target: "_top", part: "link" }, slot("link", "Open the checkout on its own page"));
        show("failed", slot("error", "The checkout could not be loaded."), ...(own ? [retry, own] : []));
        this.#emit("error", { code });
      };

      const greet = (pause) => {
        clearInterval(hello);
        const post = () => frame.contentWindow?.postMessage({ protocol: NAME, version: VERSION, instance, type: "hello" }, url.origin);
        hello = setInterval(post, pause);
        post();
      };
      const wait = () => {
        clearTimeout(patience);
        patience = setTimeout(() => {
          fail("timeout");
          if (hello) greet(2000);
        }, PATIENCE);
      };

      const receive = (event) => {
        if (!event.source || event.source !== frame.contentWindow || event.origin !== url.origin) return;
        const detail = read(event.data, instance);
        if (!detail) return;
        clearInterval(hello);
        clearTimeout(patience);
        show("answered");
        const { type } = event.data;
        if (type === "resize") {
          frame.style.height = Math.ceil(detail.height) + "px";
        } else if (type === "close" && dialog) {
          dialog.close();
        } else if (type !== "complete") {
          this.#emit(type, detail);
        } else if (!completed) {
          completed = true;
          const target = parse(detail.redirectUrl);
          const safe = target && (target.protocol === "https:" || url.protocol === "http:");
          if (this.#emit(type, detail) && safe) redirect = setTimeout(leave, REDIRECT_AFTER, target.href);
        }
      };

      this.#stop = () => {
        stopped.abort();
        clearInterval(hello);
        clearTimeout(patience);
        clearTimeout(redirect);
        dialog?.close();
        this.shadowRoot.replaceChildren();
      };

      if (url) {
        addEventListener("message", receive, { signal });
        frame.addEventListener("load", () => {
          show("loaded");
          wait();
          greet(250);
        });
      }
      if (this.mode === "modal") {
        const close = make("button", { type: "button", part: "close", "aria-label": "Close" }, "×");
        dialog = make("dialog", { part: "dialog", "aria-label": title }, close, box);
        dialog.style.colorScheme = { DARK: "dark", AUTO: "light dark" }[url?.searchParams.get("theme")] || "light";
        close.addEventListener("click", () => dialog.close());
        dialog.addEventListener("close", () => this.#emit("close", {}), { signal });
      } else if (!["frame", null].includes(this.getAttribute("mode"))) {
        console.warn(`<${NAME}>: this mode is not supported yet; "frame" is used.`);
      }
      this.shadowRoot.append(dialog || box);
      dialog?.showModal();
      if (!url) return fail("invalid-url");
      show("loading", slot("loading", "Loading the checkout…"));
      wait();
    }
  }

  if (!customElements.get(NAME)) customElements.define(NAME, CryptoCheckout);
}
