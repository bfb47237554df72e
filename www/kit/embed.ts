// `embed.js` of the kit: that of a gateway, and the mode `inline` where the browser has what its style needs.
import { CryptoCheckout } from "../embed/element";
import "../embed/main";
import { Inline } from "./inline/place";

const script = document.currentScript as HTMLScriptElement | null;

if (script && CSS.supports("container-type", "inline-size")) {
  const folder = new URL(".", script.src).href;
  CryptoCheckout.places["inline"] = (url) => new Inline(url, folder);
}
