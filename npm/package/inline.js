// Every place that can compile WebAssembly: the module is a text in a script, so that no bundler needs configuration.

import { create } from "./api.js";
import text from "./core.wasm.js";

export { CheckoutError } from "./api.js";

const { connect, ...functions } = create();

export const { currencies, explain, formatAmount, isValid, parseAmount, paymentUri, validate } = functions;

const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
let loaded;
try {
  connect(new WebAssembly.Instance(new WebAssembly.Module(bytes)));
  loaded = Promise.resolve();
} catch {
  // Old browsers compile on the main thread only while they do something else: `init` waits for it.
}

export function init() {
  loaded ??= WebAssembly.instantiate(bytes).then(({ instance }) => connect(instance));
  return loaded;
}
