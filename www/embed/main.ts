// <crypto-checkout payment-url="…" mode="frame">: a hosted checkout inside a merchant's page.
import { CryptoCheckout } from "./element";
import { PROTOCOL } from "./messages";

if (!customElements.get(PROTOCOL)) customElements.define(PROTOCOL, CryptoCheckout);
