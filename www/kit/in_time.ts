// A limit for what the page waits for.

const COMES_WITHIN = 8_000;

/** What does not come within its time fails. */
export async function inTime<Kind>(ask: (signal: AbortSignal) => Promise<Kind>): Promise<Kind> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), COMES_WITHIN);
  try {
    return await ask(abort.signal);
  } finally {
    clearTimeout(timer);
  }
}
