/** What the build knows: see `xtask/src/kit.rs`. */
declare module "kit-facts" {
  /** The file of each language. */
  export const TEXTS: Record<string, string>;
  /** Which of its texts is `Contact {merchant}`. */
  export const CONTACT: number;
  /** The pairs of the interface, such as `USDT.TRX`. */
  export const PAIRS: readonly string[];
  /** What the widget draws before anything is known. */
  export const MAIN: string;
  /** The file of the style, for a shadow root. */
  export const STYLE: string;
}

/** The module's own script, from wasm-bindgen. */
declare module "widget-glue" {
  export default function load(options: object): Promise<object>;
  export function start(): void;
}

/** Starts the module when it is imported. */
declare module "*/checkout.js";
