// In the place of `fetch` in the scripts of the page: the module's requests, and no others, are objects.
import type { Gateway } from "./gateway";

let gateway: Gateway;

export const connect = (to: Gateway) => void (gateway = to);

export const fetch: typeof globalThis.fetch = (input, init) =>
  input instanceof Request ? gateway.answer(input) : globalThis.fetch(input, init);
