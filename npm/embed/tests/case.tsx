// One case in a page of its own, because a page defines the element once. Tells the page around it the result.
import { type CheckoutLoadError, loadCheckout } from "@crypto-checkout/embed";
import { createRoot } from "react-dom/client";
import { Checkout } from "./react";

const query = new URLSearchParams(location.search);
const script = query.get("script") ?? "";
const tags = () => document.querySelectorAll("script[src*='embed.js']").length;
const loaded = async () => (await loadCheckout(script)) === customElements.get("crypto-checkout");
const code = (integrity?: string) => loadCheckout(script, { integrity }).then(String, (error: CheckoutLoadError) => `${error.code}: ${error.message}`);

const CASES: Record<string, () => Promise<unknown>> = {
  once: async () => [await Promise.all([loaded(), loaded()]), await loaded(), tags()],
  tag: async () => {
    const tag = document.createElement("script");
    Object.assign(tag, { type: "module", src: script });
    document.head.append(tag);
    return [await loaded(), tags()];
  },
  defined: async () => {
    customElements.define("crypto-checkout", class extends HTMLElement {});
    return [await loaded(), tags()];
  },
  fails: () => code(),
  integrity: () => code(query.get("integrity") ?? ""),
  again: async () => [(await code()).split(":")[0], await loaded(), tags()],
  react: async () => {
    let told = "";
    const main = document.querySelector("main")!;
    createRoot(main).render(
      <Checkout script={script} paymentUrl="https://pay.example/checkout/1" onComplete={(detail) => (told = detail.paymentId)} />,
    );
    await customElements.whenDefined("crypto-checkout");
    const element = main.querySelector("crypto-checkout");
    element?.dispatchEvent(new CustomEvent("checkout:complete", { detail: { paymentId: "p-1", status: "DEPOSITED" } }));
    return [element?.getAttribute("payment-url"), told];
  },
  "react without the script": async () => {
    const main = document.querySelector("main")!;
    createRoot(main).render(<Checkout script={script} paymentUrl="https://pay.example/checkout/1" onComplete={() => {}} />);
    while (!main.querySelector("a")) await new Promise((resolve) => setTimeout(resolve, 20));
    return [main.querySelector("[role=alert]")!.textContent, main.querySelector("a")!.href];
  },
};

const result = await CASES[query.get("case") ?? ""]?.();
parent.postMessage(JSON.stringify(result ?? null), location.origin);
