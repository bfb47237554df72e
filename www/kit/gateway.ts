// The page's requests, answered by any server of the interface. The page asks for `GET /api/v1/checkout/{paymentId}`, which
// only some servers have; from the others it gets what follows from the payment and the settings.
import { PAIRS } from "kit-facts";
import { serverTime } from "./clock";
import { type Facts, parse, paymentOf, transferOf } from "./payment";
import type { Settings } from "./settings";

const VIEW = "/api/v1/checkout/";
const PAYMENT = "/api/v1/payments/";

const TIME = "X-Server-Time";
const CONDITION = "If-None-Match";

export class Gateway {
  readonly #settings: Settings;
  readonly #api: string;
  /** Whether the server has the page's own answer; not known before one. */
  #hasView: boolean | undefined;
  /** A server that shows its `ETag` may refuse the question with it (CORS). */
  #takesCondition = true;
  #hadDeposits = false;
  /** Counts the answers. */
  #version = 1;
  /** The date of the newest answer, and of the last one if that was earlier, in UNIX milliseconds. */
  #newest = 0;
  #earlier = Infinity;

  constructor(settings: Settings, api: string) {
    this.#settings = settings;
    this.#api = api;
  }

  /** The server's own page of the payment, which has the forms; `undefined` if there is none. */
  pageOf(paymentId: string): string | undefined {
    return this.#hasView ? `${this.#api}/checkout/${paymentId}` : undefined;
  }

  async answer(request: Request): Promise<Response> {
    const id = request.url.slice(request.url.lastIndexOf("/") + 1);
    const isRead = request.method === "GET";
    if (isRead && this.#hasView) return this.#ask(request, VIEW + id);
    const sent = performance.now();
    const response = await this.#askOnCondition(request, PAYMENT + id);
    // A server that tells its time has extensions: only such a one is asked for this one.
    if (isRead && response.ok && response.headers.has(TIME) && this.#hasView === undefined) {
      const view = await this.#discover(request, VIEW + id);
      if (view) return view;
    }
    const headers = new Headers(response.headers);
    const isRepeated = this.#isRepeated(Date.parse(headers.get("Date") ?? ""));
    if (!isRepeated) this.#version += 1;
    const time = headers.get(TIME) ?? Math.round(await serverTime(isRepeated ? new Headers() : headers, sent));
    headers.set(TIME, String(time));
    if (!response.ok) return new Response(null, { status: response.status, headers });
    // The page takes no answer with a smaller version than the last one.
    const version = isRepeated ? 1 : this.#version;
    return new Response(this.#read(await response.text(), isRead, version), { headers });
  }

  /** A cache repeats earlier answers. The dates of a clock that was set back go on from answer to answer. */
  #isRepeated(date: number): boolean {
    if (Number.isNaN(date)) return false;
    const isEarlier = date < this.#newest;
    const goesOn = date > this.#earlier;
    this.#earlier = isEarlier ? date : Infinity;
    if (!isEarlier || goesOn) this.#newest = date;
    return isEarlier && !goesOn;
  }

  async #ask(request: Request, path: string, headers = request.headers): Promise<Response> {
    const { method, signal } = request;
    const body = method === "GET" ? undefined : await request.text();
    const guards = { cache: "no-store", credentials: "omit", redirect: "error" } as const;
    return globalThis.fetch(this.#api + path, { method, headers, body, signal, ...guards });
  }

  /** Without an answer it asks again without the `ETag`, so that the page does not go deaf. */
  async #askOnCondition(request: Request, path: string): Promise<Response> {
    const plain = new Headers(request.headers);
    plain.delete(CONDITION);
    if (!request.headers.has(CONDITION) || !this.#takesCondition) return this.#ask(request, path, plain);
    try {
      return await this.#ask(request, path);
    } catch {
      const response = await this.#ask(request, path, plain);
      this.#takesCondition = false;
      return response;
    }
  }

  async #discover(request: Request, path: string): Promise<Response | undefined> {
    const response = await this.#ask(request, path).catch(() => undefined);
    if (response?.status === 404) this.#hasView = false;
    if (!response?.ok) return undefined;
    this.#hasView = true;
    return response;
  }

  /** The answer in the page's form. The page itself finds out that it cannot read another text. */
  #read(text: string, isRead: boolean, version: number): string {
    try {
      const answer: Facts = parse(text);
      const payment = paymentOf(answer);
      return JSON.stringify(isRead ? { ...this.#view(payment), version } : { paymentInfo: payment, rate: answer["rate"] });
    } catch {
      return text;
    }
  }

  #view(payment: Facts): Facts {
    const { merchantName, supportUrl, sandbox, testNetworks, pairs } = this.#settings;
    const allowedOrigins = [location.origin, ...(this.#settings.allowedOrigins ?? [])];
    const deposits: Facts[] = payment["deposits"];
    const transferVanished = this.#hadDeposits && deposits.length === 0;
    this.#hadDeposits ||= deposits.length > 0;
    const options = pairs.map((pair) => {
      const [currency, network] = pair.split(".");
      return { currency, network };
    });
    const transfers = deposits.map((deposit) => transferOf(deposit, payment, PAIRS));
    return { payment, merchantName, supportUrl, allowedOrigins, sandbox, testNetworks, options, transfers, transferVanished };
  }
}
