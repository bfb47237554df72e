// Requests of a counter, whose token is the secret behind the `#` of its link.
import type { CounterSale as Sale, CreateCounterSale as NewSale, OwnCounter as Counter } from "gateway-api";

export type { Counter, NewSale, Sale };

const TIMEOUT_MILLIS = 15_000;

/** The gateway refused, and says why; without its answer, or with that of a server on the way, another error is thrown. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

export const secret = location.hash.slice(1);

export const readCounter = () => ask<Counter>("GET", "");
export const sell = (sale: NewSale, ended: AbortController) => ask<Sale>("POST", "/sales", ended, sale);
export const readSale = (id: string, ended?: AbortController) => ask<Sale>("GET", `/sales/${id}`, ended);
export const cancel = (id: string, ended: AbortController) => ask<Sale>("POST", `/sales/${id}/cancel`, ended);

async function ask<Answer>(method: string, path: string, ended = new AbortController(), body?: unknown): Promise<Answer> {
  const timeout = setTimeout(() => ended.abort(), TIMEOUT_MILLIS);
  const headers: Record<string, string> = { authorization: `Bearer ${secret}` };
  if (body) headers["content-type"] = "application/json";
  try {
    const request = { method, headers, body: body && JSON.stringify(body), cache: "no-store", signal: ended.signal } as RequestInit;
    const answer = await fetch(`/api/v1/counter${path}`, request);
    const read = await answer.json();
    if (answer.ok) return read as Answer;
    if (typeof read.code !== "string" || isPassing(answer.status)) throw new Error(`status ${answer.status}`);
    throw new Refused(answer.status, read.code);
  } finally {
    clearTimeout(timeout);
  }
}

/** Worth another attempt: what it did is not known, or not done yet. */
const isPassing = (status: number) => status === 408 || status === 429 || status >= 500;
