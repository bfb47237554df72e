// A React component with the checkout. It renders on servers, too: there the loader does nothing.

import { type CheckoutCompleteDetail, type CryptoCheckoutElement, loadCheckout } from "@crypto-checkout/embed";
import type {} from "@crypto-checkout/embed/react";
import { useEffect, useRef, useState } from "react";

interface Props {
  /** Of your gateway, such as https://pay.example/embed.js. */
  script: string;
  /** From your back end, which creates the payment. */
  paymentUrl: string;
  /** A hint for the page: your back end asks the gateway before it ships. */
  onComplete: (detail: CheckoutCompleteDetail) => void;
}

export function Checkout({ script, paymentUrl, onComplete }: Props) {
  const element = useRef<CryptoCheckoutElement>(null);
  const [error, setError] = useState<string>();

  useEffect(() => {
    loadCheckout(script).catch((cause: Error) => setError(cause.message));
  }, [script]);

  useEffect(() => {
    const checkout = element.current;
    const complete = ({ detail }: CustomEvent<CheckoutCompleteDetail>) => onComplete(detail);
    checkout?.addEventListener("checkout:complete", complete);
    return () => checkout?.removeEventListener("checkout:complete", complete);
  }, [onComplete]);

  if (error) {
    return (
      <p role="alert">
        The checkout could not be loaded. <a href={paymentUrl}>Pay on its own page</a>
      </p>
    );
  }
  return <crypto-checkout ref={element} payment-url={paymentUrl} />;
}
