// What a server runs.
import { loadCheckout } from "@crypto-checkout/embed";
import { renderToString } from "react-dom/server";
import { Checkout } from "./react";

export async function page(paymentUrl: string): Promise<string> {
  const loaded = await loadCheckout("https://pay.example/embed.js");
  const checkout = <Checkout script="https://pay.example/embed.js" paymentUrl={paymentUrl} onComplete={() => {}} />;
  return `${loaded}${renderToString(<main>{checkout}</main>)}`;
}
