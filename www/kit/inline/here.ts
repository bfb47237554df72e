// What the scripts of the page see in the place of `window`, `document` and `location`: a shadow root, the address of the
// payment, and an end when the element leaves the merchant's page.

export { fetch } from "../fetch";

export interface Here {
  readonly root: ShadowRoot;
  url: URL;
  readonly signal: AbortSignal;
  heard(data: unknown): void;
  /** Opens the page at another address, in place of this one. */
  go(url: URL): void;
}

// The build puts `window` below in the place of its other names.
const real = frames as Window & typeof globalThis;

let here: Here;
let hear: ((event: object) => void) | undefined;
let current: Event | undefined;

export function settle(at: Here): void {
  here = at;
  // `window.event` does not name events inside a shadow root.
  const handle = (event: Event) => {
    current = event;
    real.setTimeout(() => (current = undefined));
  };
  for (const name of ["click", "keydown"]) at.root.addEventListener(name, handle, { capture: true, signal: at.signal });
}

/** Posts a message to the page, as a page of its own origin does to a frame. */
export const tell = (data: object) => hear?.({ data, origin: here.url.origin, source: parent });

/** `object` with other values under some names. Its methods run on the object itself. */
function over<Kind extends object>(object: Kind, own: object): Kind {
  return new Proxy(object, {
    get(_, name) {
      if (Object.hasOwn(own, name)) return Reflect.get(own, name);
      const value = Reflect.get(object, name);
      return typeof value === "function" ? value.bind(object) : value;
    },
    set: (_, name, value) => Reflect.set(Object.hasOwn(own, name) ? own : object, name, value),
  });
}

type Listener = (event: object) => void;

const listenOn =
  (target: EventTarget) =>
  (name: string, listener: Listener, options: boolean | AddEventListenerOptions = {}): void => {
    if (name === "message") hear = listener;
    const more = typeof options === "boolean" ? { capture: options } : options;
    // A key that is pressed elsewhere on the merchant's page is not for this one.
    const at = name === "keydown" ? here.root : target;
    if (name !== "message") at.addEventListener(name, listener, { ...more, signal: here.signal });
  };

const pageElement = () => here.root.querySelector<HTMLElement>(".page")!;

export const document = over(real.document, {
  addEventListener: listenOn(real.document),
  head: real.document.createDocumentFragment(),
  title: "",
  getElementById: (id: string) => here.root.getElementById(id),
  querySelector: (selector: string) => here.root.querySelector(selector),
  get documentElement() {
    return pageElement();
  },
  get body() {
    return pageElement();
  },
  get activeElement() {
    return here.root.activeElement ?? real.document.activeElement;
  },
});

/** Another address of the payment is opened here; any other one by the browser. */
export function visit(address: string): void {
  const url = new URL(address, here.url);
  if (url.origin === here.url.origin && url.pathname === here.url.pathname) here.go(url);
  else real.location.assign(url);
}

const ways = { replace: visit, assign: visit, reload: () => here.go(here.url) };

export const location = new Proxy({} as Location, {
  get: (_, name) => Reflect.get(Object.hasOwn(ways, name) ? ways : here.url, name),
});

export const history = over(real.history, {
  // The merchant's is of no concern here.
  state: null,
  replaceState: (_state: unknown, _title: string, address: string | URL) => void (here.url = new URL(address, here.url)),
});

const parent = { postMessage: (message: unknown) => here.heard(message) };

export const addEventListener = listenOn(real);

export const setTimeout = (run: () => void, after?: number) => real.setTimeout(() => here.signal.aborted || run(), after);

export function setInterval(run: () => void, every?: number): number {
  const interval = real.setInterval(run, every);
  here.signal.addEventListener("abort", () => real.clearInterval(interval));
  return interval;
}

const RELOADS_AFTER = 15_000;

export const window: Window & typeof globalThis = over(real, {
  document,
  location,
  history,
  parent,
  addEventListener,
  setTimeout,
  setInterval,
  fetch: (asked: RequestInfo | URL, init?: RequestInit) =>
    real.fetch(asked instanceof Request ? asked : new URL(asked, here.url), init),
  get event() {
    return current ?? real.event;
  },
  notLive: () => {
    pageElement().dataset.reloads = "";
    setTimeout(location.reload, RELOADS_AFTER);
  },
});
