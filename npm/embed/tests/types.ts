// Compiled but never run: valid and invalid uses of the types.

import {
  type CheckoutCompleteDetail, CheckoutLoadError, type CryptoCheckoutClass, type CryptoCheckoutElement, loadCheckout,
} from "@crypto-checkout/embed";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(): T | undefined => undefined;

export async function uses(): Promise<void> {
  const loaded = await loadCheckout("https://pay.example/embed.js", { integrity: "sha384-x", nonce: undefined });
  is<Equal<typeof loaded, CryptoCheckoutClass | null>>();
  await loadCheckout(new URL("https://pay.example/embed.js"));
  if (loaded) is<Equal<InstanceType<typeof loaded>, CryptoCheckoutElement>>();
  // @ts-expect-error: a URL is needed
  await loadCheckout();
  // @ts-expect-error: an unknown option
  await loadCheckout("https://pay.example/embed.js", { integrty: "sha384-x" });

  const element = document.createElement("crypto-checkout");
  is<Equal<typeof element, CryptoCheckoutElement>>();
  element.paymentUrl = "https://pay.example/checkout/1";
  element.mode = "modal";
  element.theme = "dark";
  element.locale = null;
  element.openOn = "pay";
  // @ts-expect-error: no such theme
  element.theme = "DARK";
  // @ts-expect-error: no such mode
  element.mode = "window";
  element.addEventListener("checkout:complete", (event) => {
    is<Equal<typeof event.detail, CheckoutCompleteDetail>>();
    const url: string | undefined = event.detail.redirectUrl;
    void url;
  });
}

export const explain = (error: unknown): string => {
  if (!(error instanceof CheckoutLoadError)) return "";
  is<Equal<typeof error.code, "blocked" | "failed" | "invalid-url" | "other-script" | "timeout">>();
  return error.script;
};
