// Loads the script that defines <crypto-checkout> from a gateway, once per page.

const ELEMENT = "crypto-checkout";
/** Milliseconds after which a script that has not run counts as failed. */
const TIMEOUT = 20_000;

/** Scripts that are being loaded, by URL. A failed one is forgotten, so that the next call tries again. */
const loading = new Map();
const failed = new WeakSet();

export class CheckoutLoadError extends Error {
  constructor(code, script, message) {
    super(`${script} ${message}`);
    this.name = "CheckoutLoadError";
    this.code = code;
    this.script = script;
  }
}

export function loadCheckout(script, options = {}) {
  if (typeof window === "undefined" || typeof document === "undefined") return Promise.resolve(null);
  const url = parse(script);
  if (!url) {
    const message = "is not the URL of the checkout's script, such as https://pay.example/embed.js.";
    return Promise.reject(new CheckoutLoadError("invalid-url", String(script), message));
  }
  const element = customElements.get(ELEMENT);
  if (element) return Promise.resolve(element);
  if (!loading.has(url.href)) {
    const found = [...document.scripts].find((tag) => tag.src === url.href && !failed.has(tag));
    const promise = defined(found ?? added(script, options), url);
    loading.set(url.href, promise);
    promise.catch(() => loading.delete(url.href));
  }
  return loading.get(url.href);
}

function parse(script) {
  try {
    const url = new URL(String(script), document.baseURI);
    return /^https?:$/.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** A classic script, because browsers remember for good that a module could not be loaded. */
function added(script, { integrity, nonce }) {
  const tag = document.createElement("script");
  tag.async = true;
  tag.crossOrigin = "anonymous";
  if (integrity) tag.integrity = integrity;
  if (nonce) tag.nonce = nonce;
  tag.src = script; // a TrustedScriptURL stays one
  document.head.append(tag);
  return tag;
}

/** The class of the element, once the script of this tag has run. */
function defined(tag, url) {
  return new Promise((resolve, reject) => {
    const stopped = new AbortController();
    const { signal } = stopped;
    let isBlocked = false;
    const stop = () => {
      stopped.abort();
      clearTimeout(timer);
    };
    const fail = (code, message) => {
      stop();
      failed.add(tag);
      reject(new CheckoutLoadError(code, url.href, message));
    };
    const timer = setTimeout(() => fail("timeout", `has not run after ${TIMEOUT / 1000} seconds.`), TIMEOUT);
    const onViolation = ({ blockedURI, effectiveDirective }) => {
      if (effectiveDirective.startsWith("script-src") && blockedURI === url.href) isBlocked = true;
    };
    const onError = () => {
      if (isBlocked) fail("blocked", `is blocked by the page's Content-Security-Policy. Allow it: script-src ${url.origin}`);
      else fail("failed", "could not be loaded: the address is wrong, the network failed, or it does not match its integrity.");
    };
    const onLoad = () => {
      if (!customElements.get(ELEMENT)) fail("other-script", `was loaded, but does not define <${ELEMENT}>.`);
    };
    document.addEventListener("securitypolicyviolation", onViolation, { signal });
    // The event of a violation can come after the tag's.
    tag.addEventListener("error", () => setTimeout(onError, 50), { signal });
    tag.addEventListener("load", onLoad, { signal });
    customElements.whenDefined(ELEMENT).then((element) => {
      stop();
      resolve(element);
    });
  });
}
