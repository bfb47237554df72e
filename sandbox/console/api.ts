// Requests to the gateway. Every answer carries the gateway's clock.
import { noteServerTime, now } from "../../www/desk/clock";
import { NoAnswer, Problem, readBody } from "../../www/desk/problem";

export { NoAnswer, Problem, now };

const TIMEOUT_MILLIS = 15_000;
const CACHED_ANSWERS = 100;
const RECORDED_REQUESTS = 12;

const cache = new Map<string, { tag: string; body: unknown }>();

/** Reads a resource. If it is unchanged, returns the same object as before. */
export async function get<T>(path: string): Promise<T> {
  const cached = cache.get(path);
  const response = await request(path, { headers: cached ? { "if-none-match": cached.tag } : {} });
  if (cached && response.status === 304) return cached.body as T;
  const body = await readBody(response);
  const tag = response.headers.get("etag");
  if (tag) cache.set(path, { tag, body });
  const oldest = cache.keys().next().value;
  if (cache.size > CACHED_ANSWERS && oldest !== undefined) cache.delete(oldest);
  return body as T;
}

export interface RecordedRequest {
  method: string;
  path: string;
  body?: object;
  at: number;
}

/** The last changes made by this page, newest first. */
export const recorded: RecordedRequest[] = [];

function record(entry: RecordedRequest): void {
  recorded.unshift(entry);
  recorded.splice(RECORDED_REQUESTS);
}

export async function post<T>(path: string, body: object = {}): Promise<T> {
  record({ method: "POST", path, body, at: now() });
  return postUnrecorded(path, body);
}

export async function remove(path: string): Promise<void> {
  record({ method: "DELETE", path, at: now() });
  await readBody(await request(path, { method: "DELETE" }));
}

/** For requests that change nothing. */
export async function postUnrecorded<T>(path: string, body: object): Promise<T> {
  const headers = { "content-type": "application/json" };
  return (await readBody(await request(path, { method: "POST", headers, body: JSON.stringify(body) }))) as T;
}

async function request(path: string, options: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...options, cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MILLIS) });
  } catch (error) {
    throw new NoAnswer(String(error));
  }
  noteServerTime(response);
  return response;
}
