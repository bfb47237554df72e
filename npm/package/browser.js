// Browsers and workers: `await init()` loads the module.

import { create } from "./api.js";

export { CheckoutError } from "./api.js";

const { connect, ...functions } = create();

export const { currencies, explain, formatAmount, isValid, parseAmount, paymentUri, validate } = functions;

let loading;

export function init(source) {
  loading ??= load(source).catch((error) => {
    // The next call tries again.
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(source = new URL("./core.wasm", import.meta.url)) {
  connect(await instantiate(await source));
}

async function instantiate(source) {
  if (source instanceof WebAssembly.Module) return new WebAssembly.Instance(source);
  if (source instanceof ArrayBuffer) return (await WebAssembly.instantiate(source)).instance;
  if (ArrayBuffer.isView(source)) {
    const bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    return (await WebAssembly.instantiate(bytes)).instance;
  }
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  // Only a response with this type can be compiled while streaming.
  const type = response.headers.get("content-type")?.split(";")[0].trim().toLowerCase();
  const compiled = type === "application/wasm"
    ? WebAssembly.instantiateStreaming(response)
    : WebAssembly.instantiate(await response.arrayBuffer());
  return (await compiled).instance;
}
