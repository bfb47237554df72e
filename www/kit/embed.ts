// `embed.js` of the kit: that of a gateway, and the mode `inline` where the browser has what its style needs.
import { CryptoCheckout } from "../embed/element";
import "../embed/main";
import { Inline } from "./inline/place";

if (CSS.supports("container-type", "inline-size")) CryptoCheckout.places["inline"] = (url) => new Inline(url);
