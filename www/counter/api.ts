// Requests of a counter, whose token is the secret behind the `#` of its link.
import type { CounterSale as Sale, CreateCounterSale as NewSale, OwnCounter as Counter } from "gateway-api";

export type { Counter, NewSale, Sale };

const TIMEOUT_MILLIS = 15_000;

/** The gateway refused; without an answer, or one of a server on the way, `fetch` throws another error. */
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
export const sell = (sale: NewSale) => ask<Sale>("POST", "/sales", sale);
export const readSale = (id: string) => ask<Sale>("GET", `/sales/${id}`);
export const cancel = (id: string) => ask<Sale>("POST", `/sales/${id}/cancel`);

async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const ended = new AbortController();
  const timeout = setTimeout(() => ended.abort(), TIMEOUT_MILLIS);
  const headers: Record<string, string> = { authorization: `Bearer ${secret}` };
  if (body) headers["content-type"] = "application/json";
  try {
    const request = { method, headers, body: body && JSON.stringify(body), cache: "no-store", signal: ended.signal } as RequestInit;
    const answer = await fetch(`/api/v1/counter${path}`, request);
    const read = await answer.json();
    if (answer.ok) return read as Answer;
    throw new Refused(answer.status, String(read.code));
  } finally {
    clearTimeout(timeout);
  }
}

/** Worth another attempt: what it did is not known, or not done yet. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof Refused) || error.status === 408 || error.status === 429 || error.status >= 500;
}
