// How things are called and written.
import { now } from "./api.js";

/** Status of a payment: word, shape and colour, so that none of them carries it alone. */
export const STATUS = {
  NEW: { word: "New", icon: "state-new", tone: "calm", says: "The payer has not chosen a currency yet." },
  PENDING: { word: "Pending", icon: "state-pending", tone: "calm", says: "An address is given out. Nothing was seen yet." },
  AWAITING: { word: "Awaiting", icon: "state-awaiting", tone: "busy", says: "Something was seen. It does not cover the amount, or is not confirmed." },
  DEPOSITED: { word: "Deposited", icon: "state-deposited", tone: "good", says: "Confirmed deposits cover the amount exactly." },
  OVERPAID: { word: "Overpaid", icon: "state-overpaid", tone: "warn", says: "Confirmed deposits are more than the amount." },
  EXPIRED: { word: "Expired", icon: "state-expired", tone: "bad", says: "The window ended. Late deposits are still seen." },
};

export const DEPOSIT = {
  UNCONFIRMED: { word: "Unconfirmed", icon: "state-pending", tone: "busy" },
  CONFIRMED: { word: "Confirmed", icon: "state-deposited", tone: "good" },
  VANISHED: { word: "Vanished", icon: "drop", tone: "bad" },
};

/** What an operator made of a deposit from a flagged sender. */
export const SCREENING = {
  FLAGGED: { word: "Held", icon: "flag", tone: "warn" },
  RELEASING: { word: "Releasing", icon: "state-pending", tone: "busy" },
  RELEASED: { word: "Released", icon: "state-deposited", tone: "good" },
  REFUSING: { word: "Refusing", icon: "state-pending", tone: "busy" },
  REFUSED: { word: "Refused", icon: "drop", tone: "bad" },
};

export const CALLBACK = {
  PENDING: { word: "To be sent", icon: "state-pending", tone: "busy" },
  HELD: { word: "Held back", icon: "state-new", tone: "warn" },
  DELIVERED: { word: "Delivered", icon: "state-deposited", tone: "good" },
  FAILED: { word: "Given up", icon: "drop", tone: "bad" },
};

export const VERDICT = {
  VERIFIED: { word: "Signature verified", icon: "verified", tone: "good" },
  WRONG: { word: "Signature is wrong", icon: "unverified", tone: "bad" },
  MISSING: { word: "No signature", icon: "unverified", tone: "warn" },
};

export const WITHDRAWAL = {
  NEW: { word: "New", icon: "state-pending", tone: "busy" },
  COMPLETED: { word: "Completed", icon: "state-deposited", tone: "good" },
  FAILED: { word: "Failed", icon: "drop", tone: "bad" },
  BLOCKED: { word: "Blocked", icon: "drop", tone: "bad" },
};

export const EVENT = { DEPOSIT: "Deposit received", WITHDRAWAL: "Withdrawal ended" };

const unknown = (word) => ({ word, icon: "state-new", tone: "calm", says: "" });
export const of = (table, word) => table[word] ?? unknown(word);

const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

export const clock = (seconds) => time.format(seconds * 1_000);
export const date = (seconds) => day.format(seconds * 1_000);
export const moment = (seconds) =>
  date(seconds) === date(now()) ? clock(seconds) : `${date(seconds)}, ${clock(seconds)}`;

/** `24:10`, `2 h 05`, `6 d 3 h`. */
export function span(seconds) {
  const two = (number) => String(number).padStart(2, "0");
  const whole = Math.max(0, Math.floor(seconds));
  const [days, hours, minutes] = [Math.floor(whole / 86_400), Math.floor(whole / 3_600) % 24, Math.floor(whole / 60) % 60];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${two(minutes)}`;
  return `${minutes}:${two(whole % 60)}`;
}

/** `now`, `12 s`, `3 min`, `2 h`, `5 d`. */
export function age(seconds) {
  const old = Math.max(0, now() - seconds);
  if (old < 2) return "now";
  if (old < 60) return `${old} s`;
  if (old < 3_600) return `${Math.floor(old / 60)} min`;
  if (old < 86_400) return `${Math.floor(old / 3_600)} h`;
  return `${Math.floor(old / 86_400)} d`;
}

export function money(amount, currency) {
  try {
    // A text is formatted with all its digits, not as a float.
    return new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(amount);
  } catch {
    return `${amount} ${currency}`;
  }
}

export const short = (text, keep = 10) => (text.length > 2 * keep + 1 ? `${text.slice(0, keep)}…${text.slice(-keep)}` : text);

export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
