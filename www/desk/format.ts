// Times, amounts and long texts, as they are shown.
import type { Deposit } from "gateway-api";
import { now } from "./clock";

const TIME = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

export const time = (seconds: number): string => TIME.format(seconds * 1_000);
export const date = (seconds: number): string => DATE.format(seconds * 1_000);

/** The time alone when it is today. */
export const dateTime = (seconds: number): string =>
  date(seconds) === date(now()) ? time(seconds) : `${date(seconds)}, ${time(seconds)}`;

/** `24:10`, `2 h 05`, `6 d 3 h`. */
export function duration(seconds: number): string {
  const twoDigits = (number: number) => String(number).padStart(2, "0");
  const whole = Math.max(0, Math.floor(seconds));
  const [days, hours, minutes] = [Math.floor(whole / DAY), Math.floor(whole / HOUR) % 24, Math.floor(whole / MINUTE) % 60];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${twoDigits(minutes)}`;
  return `${minutes}:${twoDigits(whole % MINUTE)}`;
}

/** `now`, `12 s`, `3 min`, `2 h`, `5 d`. */
export function age(seconds: number): string {
  const passed = Math.max(0, now() - seconds);
  if (passed < 2) return "now";
  if (passed < MINUTE) return `${passed} s`;
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h`;
  return `${Math.floor(passed / DAY)} d`;
}

/** `€25.00`, with all digits of the decimal text. */
export function money(amount: string, currency: string): string {
  try {
    // A text is formatted exactly; a number would be rounded to a float first.
    return new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(amount as Intl.StringNumericLiteral);
  } catch {
    return `${amount} ${currency}`;
  }
}

/** `0.3 LTC`. `Intl` would round it to two digits. */
export const coins = (amount: string, currency: string): string => `${amount} ${currency}`;

/** Of a balance or a booking: in euros, or in coins. */
export const booked = (amount: string, currency: string): string =>
  currency === "EUR" ? money(amount, currency) : coins(amount, currency);

/** What a deposit is worth. */
export const valueOf = (deposit: Deposit): string =>
  deposit.beingValued ? "being valued" : money(deposit.displayAmount, deposit.displayCurrency);

export const percent = (share: string): string => `${Number((Number(share) * 100).toFixed(6))} %`;

/** A long text by its start and end. */
export const shorten = (text: string, kept = 10): string =>
  text.length > 2 * kept + 1 ? `${text.slice(0, kept)}…${text.slice(-kept)}` : text;

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
