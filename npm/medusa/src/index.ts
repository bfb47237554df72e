import { ModuleProvider, Modules } from "@medusajs/framework/utils";
import { CryptoCheckoutProvider } from "./provider";

export type { CryptoCheckoutOptions } from "./provider";
export type { SessionData } from "./session";
export default ModuleProvider(Modules.PAYMENT, { services: [CryptoCheckoutProvider] });
