import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { CryptoCheckoutAttributes, CryptoCheckoutElement } from "./element.js";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "crypto-checkout": DetailedHTMLProps<HTMLAttributes<CryptoCheckoutElement>, CryptoCheckoutElement> &
        CryptoCheckoutAttributes;
    }
  }
}
