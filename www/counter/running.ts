// The running sale, kept before it is asked for: a reload asks for the same one again, and finds it.
import type { NewSale } from "./api";

const NAME = "counter-sale";

interface Kept {
  counter: string;
  sale: NewSale;
}

export function keep(counter: string, sale: NewSale): void {
  try {
    localStorage.setItem(NAME, JSON.stringify({ counter, sale } satisfies Kept));
  } catch {
    // Without a storage the sale is found at the desk.
  }
}

export function forget(): void {
  try {
    localStorage.removeItem(NAME);
  } catch {
    // Nothing is kept.
  }
}

/** Of this counter. */
export function kept(counter: string): NewSale | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(NAME) ?? "null") as Kept | null;
    return found?.counter === counter ? found.sale : undefined;
  } catch {
    return undefined;
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
