// The gateway, asked and told. Every answer carries its clock.

/** How long one answer may take. */
const PATIENCE = 15_000;

const known = new Map();
let ahead = 0;

/** The gateway's time in seconds. */
export const now = () => Math.floor((Date.now() + ahead) / 1_000);

/** No answer at all: the gateway is gone, or the way to it. */
export class Gone extends Error {}

/** An answer that says what is wrong, with every fault of the request. */
export class Problem extends Error {
  constructor(status, body) {
    const faults = body?.errors ?? [];
    const each = faults.map(({ pointer, detail }) => (pointer ? `${pointer.slice(1)}: ${detail}` : detail)).join("; ");
    super(each || (body?.detail ?? `The gateway answered ${status}.`));
    this.status = status;
    this.faults = faults;
  }
}

/** What stands at an address; the very same object as before when nothing changed. */
export async function get(path) {
  const before = known.get(path);
  const response = await ask(path, { headers: before ? { "if-none-match": before.tag } : {} });
  if (response.status === 304) return before.body;
  const body = await read(response);
  const tag = response.headers.get("etag");
  if (tag) known.set(path, { tag, body });
  if (known.size > 100) known.delete(known.keys().next().value);
  return body;
}

/** What this page changed, the newest first: `{method, path, body, at}`. */
export const requests = [];

/** How many of them are kept. */
const KEPT = 12;

export async function send(method, path, body) {
  requests.unshift({ method, path, body: method === "POST" ? (body ?? {}) : undefined, at: now() });
  requests.splice(KEPT);
  return tell(method, path, body);
}

async function tell(method, path, body) {
  const headers = { "content-type": "application/json" };
  return read(await ask(path, { method, headers, body: method === "POST" ? JSON.stringify(body ?? {}) : undefined }));
}

export const post = (path, body) => send("POST", path, body);

/** A question that needs a body: it changes nothing, and nobody wants to repeat it. */
export const question = (path, body) => tell("POST", path, body);

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, { ...options, cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
  } catch (error) {
    throw new Gone(error.message);
  }
  const time = Number(response.headers.get("x-server-time"));
  if (time > 0) ahead = time - Date.now();
  return response;
}

async function read(response) {
  if (response.status === 204) return null;
  let body = null;
  try {
    body = await response.json();
  } catch (error) {
    if (response.ok) throw new Gone(error.message);
  }
  if (!response.ok) throw new Problem(response.status, body);
  return body;
}
