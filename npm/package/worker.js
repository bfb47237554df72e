// Cloudflare Workers, which compile no WebAssembly while they run: the platform imports the module.

import module from "./core.wasm";

import { create } from "./api.js";

export { CheckoutError } from "./api.js";

const { connect, ...functions } = create();
connect(new WebAssembly.Instance(module));

export const { currencies, explain, formatAmount, isValid, parseAmount, paymentUri, validate } = functions;

export async function init() {}
