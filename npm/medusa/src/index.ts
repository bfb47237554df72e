import { ModuleProvider, Modules } from "@medusajs/framework/utils";
import { CryptoCheckoutProvider } from "./provider";

// Node gives a module of ES the whole of `module.exports`, so a default export would be one level too deep.
export = ModuleProvider(Modules.PAYMENT, { services: [CryptoCheckoutProvider] });
