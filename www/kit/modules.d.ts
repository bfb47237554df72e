/** What the build knows: see `xtask/src/kit.rs`. */
declare module "kit-facts" {
  /** The file of each language. */
  export const TEXTS: Record<string, string>;
  /** The pairs of the interface, such as `USDT.TRX`. */
  export const PAIRS: readonly string[];
}

/** The module's own script, from wasm-bindgen. */
declare module "widget-glue" {
  export default function load(options: object): Promise<object>;
  export function start(): void;
}
