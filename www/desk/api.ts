// Requests of the desk: to the public API behind the operator's session, and to the session itself.
import { noteServerTime } from "./clock";
import { NoAnswer, readBody } from "./problem";

const TIMEOUT_MILLIS = 15_000;

export interface Operator {
  name: string;
  role: "viewer" | "support" | "manager";
  csrfToken: string;
  /** Acts for all businesses, and may manage them. */
  isOrganisation: boolean;
  businesses: { id: string; name: string }[];
}

/** Who is signed in, and how one signs in. */
export interface Session {
  operator: Operator | null;
  takesPasswords: boolean;
  isNamed: boolean;
  sandbox: boolean;
}

/** Goes along with every change; no other site has it. */
let csrfToken = "";

export async function loadSession(): Promise<Session> {
  return keep((await send("GET", "/desk/session")) as Session);
}

export async function signIn(fields: Record<string, string>): Promise<Session> {
  return keep((await send("POST", "/desk/session", fields)) as Session);
}

export async function signOut(): Promise<void> {
  await send("DELETE", "/desk/session");
}

function keep(session: Session): Session {
  csrfToken = session.operator?.csrfToken ?? "";
  return session;
}

/** A path of the desk behind that of the public API. */
export const gateway = (path: string): string => `/desk/gateway${path}`;

/** A list as a file. */
export const csv = (path: string): string => `/desk/csv${path}`;

export const get = async <T>(path: string): Promise<T> => (await send("GET", path)) as T;

export const post = async <T>(path: string, body: object = {}): Promise<T> => (await send("POST", path, body)) as T;

export const patch = async <T>(path: string, body: object): Promise<T> => (await send("PATCH", path, body)) as T;

async function send(method: string, path: string, body?: object): Promise<unknown> {
  const headers: Record<string, string> = {};
  if (method !== "GET") headers["x-csrf-token"] = csrfToken;
  if (body) headers["content-type"] = "application/json";
  let response: Response;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MILLIS);
    response = await fetch(path, { method, headers, body: body && JSON.stringify(body), cache: "no-store", signal });
  } catch (error) {
    throw new NoAnswer(String(error));
  }
  noteServerTime(response);
  return readBody(response);
}

/** A query without its empty values. */
export function query(values: Record<string, string | number | boolean | null | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}
