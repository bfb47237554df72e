// The gateway's clock, which every answer carries.

let offsetMillis = 0;

/** The gateway's time in seconds. */
export const now = (): number => Math.floor((Date.now() + offsetMillis) / 1_000);

/** Notes the time of an answer. */
export function noteServerTime(response: Response): void {
  const serverMillis = Number(response.headers.get("x-server-time"));
  if (serverMillis > 0) offsetMillis = serverMillis - Date.now();
}
