import { CheckoutApiError, CheckoutConnectionError, type InvalidField } from "./errors.js";

export interface CheckoutOptions {
  /** The gateway, such as `https://pay.example`. */
  baseUrl: string;
  /** A business token (`biz_…`) or an organisation key (`org_…`). */
  token: string;
  /** Milliseconds until one attempt fails; 20,000 by default. */
  timeout?: number;
  /** Further attempts of requests that are safe to repeat; 2 by default. */
  retries?: number;
}

export type QueryValue = string | number | boolean | null | undefined;

export interface RequestOptions {
  query?: Record<string, QueryValue>;
  body?: unknown;
  /** Whether the same request again has no further effect. GET is; a POST is with an id of yours in the body. */
  repeatable?: boolean;
}

/** A failure that may be gone at the next attempt. */
const PASSING = new Set([429, 500, 502, 503, 504]);
/** Seconds; who is told to wait longer gets the error. */
const LONGEST_WAIT = 30;

export class Http {
  readonly #base: string;
  readonly #token: string;
  readonly #timeout: number;
  readonly #retries: number;

  constructor({ baseUrl, token, timeout = 20_000, retries = 2 }: CheckoutOptions) {
    this.#base = new URL(baseUrl).href.replace(/\/+$/, "");
    this.#token = token;
    this.#timeout = timeout;
    this.#retries = retries;
  }

  async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    const repeatable = options.repeatable ?? method === "GET";
    for (let attempt = 0; ; attempt += 1) {
      try {
        return (await this.#attempt(method, path, options)) as T;
      } catch (error) {
        const wait = repeatable && attempt < this.#retries ? waitAfter(error, attempt) : undefined;
        if (wait === undefined) throw error;
        await new Promise((resolve) => setTimeout(resolve, wait * 1000));
      }
    }
  }

  async #attempt(method: string, path: string, { query = {}, body }: RequestOptions): Promise<unknown> {
    const url = new URL(this.#base + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    const headers: Record<string, string> = { authorization: `Bearer ${this.#token}`, accept: "application/json" };
    if (body !== undefined) headers["content-type"] = "application/json";
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method,
        headers,
        // A redirect would take the token elsewhere.
        redirect: "error",
        signal: AbortSignal.timeout(this.#timeout),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (cause) {
      throw new CheckoutConnectionError(`${method} ${url.origin}${url.pathname}: no answer`, { cause });
    }
    const answer = json(text);
    if (!response.ok || answer === undefined) throw refusal(response, answer);
    return answer;
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(response: Response, answer: unknown): CheckoutApiError {
  const problem = (answer ?? {}) as { code?: string; detail?: string; errors?: InvalidField[] };
  return new CheckoutApiError({
    status: response.status,
    code: problem.code ?? "unreadable",
    detail: problem.detail ?? "The answer is none of the gateway's.",
    requestId: response.headers.get("x-request-id") ?? undefined,
    errors: problem.errors ?? [],
    retryAfter: seconds(response.headers.get("retry-after")),
  });
}

function seconds(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}

/** Seconds until the next attempt, with jitter; `undefined` if there is to be none. */
function waitAfter(error: unknown, attempt: number): number | undefined {
  const jitter = Math.random() * 0.5 * 2 ** attempt;
  if (error instanceof CheckoutConnectionError) return jitter;
  if (!(error instanceof CheckoutApiError) || !PASSING.has(error.status)) return undefined;
  const asked = error.retryAfter ?? 0;
  return asked > LONGEST_WAIT ? undefined : asked + jitter;
}
