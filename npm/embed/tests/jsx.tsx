// Compiled but never run: valid and invalid attributes.

import type {} from "@crypto-checkout/embed/react";

export const valid = <crypto-checkout payment-url="https://pay.example/checkout/1" mode="modal" className="till" aria-label="Pay" />;
export const dialog = <crypto-checkout mode="modal" open-on="pay" theme="dark" locale="de-DE" payment-url="https://pay.example/checkout/1" />;
// @ts-expect-error: no such theme
export const bright = <crypto-checkout theme="bright" />;
// @ts-expect-error: no such mode
export const odd = <crypto-checkout mode="window" />;
// @ts-expect-error: an unknown attribute
export const unknown = <crypto-checkout paymenturl="https://pay.example/checkout/1" />;
