// Compiled but never run: a CommonJS program.

import embed = require("@crypto-checkout/embed");

export const loaded: Promise<embed.CryptoCheckoutClass | null> = embed.loadCheckout("https://pay.example/embed.js");
export const element: embed.CryptoCheckoutElement = document.createElement("crypto-checkout");
