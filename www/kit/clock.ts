// The server's time. Where no answer has an `X-Server-Time`, it follows from `Date`, which is in whole seconds.
import { FILE } from "./settings";

const SECOND = 1_000;

/** The clocks of the device have drifted apart: it slept, or its clock was set. */
const DRIFT = 2 * SECOND;

/** The server's time at the opening of the page, in UNIX milliseconds, is between these two. */
let span: readonly [earliest: number, latest: number] | undefined;
let opened = 0;
let drift = 0;

const drifts = () => Date.now() - performance.now();

/** UNIX milliseconds. `sent`: when the request of these headers was sent, by `performance.now()`. */
export async function serverTime(headers: Headers, sent: number): Promise<number> {
  if (!learn(headers, sent) && (!span || Math.abs(drifts() - drift) > DRIFT)) {
    // The API does not show its time to this origin; the server of the page has one, too.
    const asked = performance.now();
    const own = await globalThis.fetch(FILE, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
    if (!own || !learn(own.headers, asked)) return Date.now();
  }
  return opened + performance.now();
}

/** Each answer narrows the span; one that contradicts it replaces it. The countdown moves no more than it must. */
function learn(headers: Headers, sent: number): boolean {
  const date = Date.parse(headers.get("Date") ?? "") + SECOND * Number(headers.get("Age"));
  if (Number.isNaN(date)) return false;
  let [earliest, latest] = [date - performance.now(), date + SECOND - sent];
  const isNarrower = span && earliest <= span[1] && span[0] <= latest;
  if (isNarrower) [earliest, latest] = [Math.max(earliest, span![0]), Math.min(latest, span![1])];
  else opened = (earliest + latest) / 2;
  opened = Math.min(Math.max(opened, earliest), latest);
  [span, drift] = [[earliest, latest], drifts()];
  return true;
}
