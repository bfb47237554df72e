// What a counter keeps in the browser: the sale that runs in this tab, and the sales whose end nobody saw.
import type { NewSale } from "./api";

/** Kept before it is asked for: a reload asks for the same one again, and finds it. */
export interface Running {
  wanted: NewSale;
  /** Somebody pressed Cancel. */
  isLeaving: boolean;
}

/** A sale whose code was shown. */
export interface Open {
  id: string;
  since: number;
  /** When the tab in which it runs has last asked; 0 once it was left. */
  asked: number;
  /** It was paid after it was left: nobody has read that yet. */
  paid?: string;
}

const MOST_OPEN = 10;
const OPEN_MILLIS = 24 * 60 * 60 * 1_000;
/** A tab that did not ask for so long is closed. Hidden ones ask once in a minute. */
const CLOSED_MILLIS = 2 * 60 * 1_000;

let name: string;

export function keepFor(counter: string): void {
  name = `counter-${counter}`;
}

export const kept = () => read<Running | null>(() => sessionStorage, null);
export const keep = (running: Running) => write(() => sessionStorage, running);
export const forget = () => write(() => sessionStorage, null);

const all = () => read<Open[]>(() => localStorage, []);

/** The sale is asked for in this tab. */
export function follow(id: string): void {
  const now = Date.now();
  if (all().some((one) => one.id === id)) change(id, (open) => ({ ...open, asked: now }));
  else save([...all(), { id, since: now, asked: now }]);
}

/** Nobody looks at it any more. */
export function leave(id: string): void {
  change(id, (open) => ({ ...open, asked: 0 }));
}

/** Somebody has seen that it is paid. */
export function close(id: string): void {
  change(id, () => undefined);
}

/** Unless somebody has seen it meanwhile. */
export function paidLater(id: string, amount: string): void {
  change(id, (open) => ({ ...open, paid: amount }));
}

/** The sales that run in no tab. */
export function left(): Open[] {
  return all().filter(({ asked, paid }) => paid || Date.now() - asked > CLOSED_MILLIS);
}

function change(id: string, to: (open: Open) => Open | undefined): void {
  save(all().flatMap((one) => (one.id === id ? (to(one) ?? []) : one)));
}

/** What was paid stays until somebody has read it. */
function save(open: Open[]): void {
  const lasts = ({ since, paid }: Open) => !paid && Date.now() - since < OPEN_MILLIS;
  const unpaid = open.filter(lasts).slice(-MOST_OPEN);
  write(() => localStorage, open.filter((one) => one.paid || unpaid.includes(one)));
}

function read<Value>(storage: () => Storage, otherwise: Value): Value {
  try {
    return (JSON.parse(storage().getItem(name) ?? "null") as Value | null) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(storage: () => Storage, value: unknown): void {
  try {
    if (value === null) storage().removeItem(name);
    else storage().setItem(name, JSON.stringify(value));
  } catch {
    // Without a storage the sale is found at the desk.
  }
}

/** A random UUID; the browser's own needs a page that came by TLS. */
export function newNumber(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
