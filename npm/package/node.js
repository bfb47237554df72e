// Node, Deno and Bun: loads the module on import.

import { readFileSync } from "node:fs";

import { create } from "./api.js";

export { CheckoutError } from "./api.js";

const { connect, ...functions } = create();
connect(new WebAssembly.Instance(new WebAssembly.Module(readFileSync(new URL("./core.wasm", import.meta.url)))));

export const { currencies, explain, formatAmount, isValid, parseAmount, paymentUri, validate } = functions;

export async function init() {}
