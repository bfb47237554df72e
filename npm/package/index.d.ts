/**
 * Crypto addresses, destination tags, amounts and payment URIs, checked by the rules of a payment gateway.
 *
 * In Node the functions work as soon as the package is imported. In a browser, call {@link init} once first:
 *
 * ```js
 * import { init, validate } from "@crypto-checkout/core";
 *
 * await init(); // in Node this does nothing and may be left out
 * validate({ currency: "BTC", network: "BTC", address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" }).valid; // true
 * ```
 *
 * @packageDocumentation
 */

/** A currency. */
export type Currency = "BTC" | "ETH" | "USDT" | "USDC" | "LTC" | "BCH" | "XRP" | "XLM" | "LINK" | "DOGE" | "AVAX" | "SOL" | "DOT" | "ADA" | "XMR" | "ZEC" | "ATOM" | "TON" | "SUI" | "APT";

/** A network. {@link currencies} says which of them a gateway takes deposits on. */
export type Network = "BTC" | "BCH" | "LTC" | "ETH" | "BSC" | "TRX" | "XRP" | "XLM" | "POLYGON" | "BASE" | "ARBITRUM" | "DOGE" | "OPTIMISM" | "AVALANCHE" | "SOL" | "DOT" | "ADA" | "XMR" | "ZEC" | "ATOM" | "TON" | "SUI" | "APT";

/** The type of a Stellar memo. */
export type MemoType = "text" | "id" | "hash";

/** The kind of an address. */
export type Kind =
  /** Bitcoin family: the hash of a public key. */
  | "p2pkh"
  /** Bitcoin family: the hash of a script. */
  | "p2sh"
  /** Segwit version 0, 20 bytes. */
  | "p2wpkh"
  /** Segwit version 0, 32 bytes. */
  | "p2wsh"
  /** Segwit version 1, 32 bytes: taproot. */
  | "p2tr"
  /** Segwit version 1, two bytes: pay-to-anchor, which anyone can spend (BIP-433). */
  | "p2a"
  /** A witness program of an undefined version (BIP-350). */
  | "future_witness"
  /** Litecoin: a stealth address in the MimbleWimble extension block. */
  | "mweb"
  /** Bitcoin Cash: a script hash of 32 bytes. */
  | "p2sh32"
  /** Bitcoin Cash: as `p2pkh`, of a wallet that supports CashTokens. */
  | "token_p2pkh"
  /** Bitcoin Cash: as `p2sh`, of a wallet that supports CashTokens. */
  | "token_p2sh"
  /** Bitcoin Cash: as `p2sh32`, of a wallet that supports CashTokens. */
  | "token_p2sh32"
  /** An account: EVM, TRON, Stellar `G…`, networks of which only addresses are checked. On TON `EQ…`. */
  | "account"
  /** XRP Ledger: an account, `r…`. */
  | "classic"
  /** XRP Ledger: an account with or without its tag in one text, `X…` (XLS-5). */
  | "x_address"
  /** Stellar: an account and an id in one text, `M…` (SEP-23). */
  | "muxed"
  /** Stellar: a contract, `C…` (SEP-23). */
  | "contract"
  /** Cardano: the hash of a key or script to pay to, `addr1…`, with or without that of its rewards. */
  | "shelley"
  /** Cardano: the address of a wallet from before Shelley, `Ae2…` or `DdzFF…`. */
  | "byron"
  /** Monero: an address of an account besides its first, `8…`. */
  | "subaddress"
  /** Monero: an address with a payment id, which belongs to it, `4…` with 106 characters. */
  | "integrated"
  /** Zcash: several receivers in one text, `u1…` (ZIP-316). */
  | "unified"
  /** Zcash: for the pool Sapling, `zs1…`. */
  | "sapling"
  /** Zcash: the hash of a public key, which takes coins from transparent addresses alone, `tex1…` (ZIP-320). */
  | "tex"
  /** TON: an account that also takes coins before its contract exists, `UQ…`. */
  | "non_bounceable";

/** Why an address, a tag or a memo is refused. {@link explain} has a sentence for each. */
export type Reason =
  | "empty"
  | "too_long"
  | "unrecognized"
  | "wrong_network"
  | "secret"
  | "surrounding_whitespace"
  | "bad_character"
  | "mixed_case"
  | "bad_prefix"
  | "bad_checksum"
  | "bad_length"
  | "bad_version"
  | "reserved_bits"
  | "wrong_bech32_variant"
  | "test_network"
  | "anyone_can_spend"
  | "burn_address"
  | "legacy_format"
  | "legacy_prefix"
  | "mweb_unsupported"
  | "unsupported_hash_size"
  | "undefined_type"
  | "missing_0x"
  | "icap_form"
  | "needs_resolution"
  | "hex_form"
  | "not_payable"
  | "raw_form"
  | "contract_address"
  | "uri_like"
  | "unknown_flags"
  | "unsupported_tag"
  | "conflicting_tag"
  | "conflicting_memo"
  | "tag_not_digits"
  | "tag_leading_zero"
  | "tag_too_large"
  | "memo_empty"
  | "memo_too_long"
  | "memo_not_hash"
  | "future_witness_version"
  | "no_checksum"
  | "tag_inside";

/** Warnings about valid addresses. */
export type Warning =
  /** An EVM address in one letter case, or any of a network whose addresses have no checksum: typing errors are not detected. */
  | "no_checksum"
  /** A witness program of an undefined version. */
  | "future_witness_version"
  /** The network has no tags; the given one has no effect. */
  | "tag_ignored";

/** Why a text is not an exact amount. */
export type AmountCode =
  | "empty"
  | "sign"
  | "exponent"
  | "blank"
  | "leading_zero"
  | "bare_point"
  | "character"
  | "too_many_decimals"
  | "too_large";

/** The argument of {@link validate} and {@link isValid}. Any other property is an error, see {@link Unsupported}. */
export interface AddressRequest {
  /** One of {@link Currency}, exactly; any other text is an unsupported pair. */
  currency: Currency | (string & {});
  /** One of {@link Network}, exactly; any other text is an unsupported pair. */
  network: Network | (string & {});
  /** The address. It is not trimmed or corrected. */
  address: string;
  /**
   * XRP destination tag, memo of Stellar or Cosmos, or comment of TON. An empty string is no tag. A number must be a safe integer: one that
   * JavaScript may have rounded is refused as `tag_not_digits`, and so is a value of any other type.
   */
  destinationTag?: string | number | bigint | null | undefined;
  /** Another name of `destinationTag`. Give one of them. */
  tag?: string | number | bigint | null | undefined;
  /**
   * The type of a Stellar memo. By default, a canonical `u64` is an `id`, any other memo a `text`, and an empty one no
   * memo. With a type, an empty memo is refused as `memo_empty`. With an unknown type, the memo is refused as
   * `tag_not_digits`.
   */
  memoType?: MemoType | null | undefined;
  /** The same as `options.allowTestNetworks`. */
  allowTestNetworks?: boolean | undefined;
  /** Options that accept or refuse disputed forms. */
  options?: AddressOptions | null | undefined;
}

/**
 * Forms to accept in addition to the strict rules (`allow…`), and valid forms to refuse (`refuse…`). Only
 * `true` counts. Accepted forms are still written in their normal form.
 */
export interface AddressOptions {
  /** The pairs that are supported: all (the default), or those of the payment interface alone. */
  table?: "all" | "interface" | undefined;
  /** Addresses of test networks, else `test_network`. */
  allowTestNetworks?: boolean | undefined;
  /** Bitcoin Cash in base58 (`1…`, `3…`), else `legacy_format`. The same text is a Bitcoin address. */
  allowLegacyBch?: boolean | undefined;
  /** Litecoin scripts with the legacy version (`3…`), else `legacy_prefix`. The same text is a Bitcoin address. */
  allowLegacyLtc?: boolean | undefined;
  /** MimbleWimble addresses of Litecoin (`ltcmweb1…`), else `mweb_unsupported`. */
  allowMweb?: boolean | undefined;
  /** Pay-to-anchor of Bitcoin, else `anyone_can_spend`. */
  allowPayToAnchor?: boolean | undefined;
  /** Contracts of Stellar (`C…`), else `contract_address`. */
  allowContracts?: boolean | undefined;
  /** Null and burn addresses, else `burn_address`. */
  allowBurnAddresses?: boolean | undefined;
  /** An EVM address without its `0x`, or with `0X`; else `missing_0x` and `bad_prefix`. */
  allowMissing0x?: boolean | undefined;
  /** The ICAP form of an EVM address (`XE…`), else `icap_form`. */
  allowIcap?: boolean | undefined;
  /** A TRON address in hexadecimal (`41…`), else `hex_form`. */
  allowTronHex?: boolean | undefined;
  /** Whitespace before and after an address, else `surrounding_whitespace`. */
  allowSurroundingBlanks?: boolean | undefined;
  /** Refuse witness programs of undefined versions, as `future_witness_version`; else a warning. */
  refuseFutureWitness?: boolean | undefined;
  /** Refuse EVM addresses in one letter case, and all of networks without checksums, as `no_checksum`; else a warning. */
  refuseNoChecksum?: boolean | undefined;
  /** Refuse X-addresses and muxed accounts, as `tag_inside`: account and tag must be given separately. */
  refuseTagInside?: boolean | undefined;
}

/** The verdict on a valid address: money may be sent to it. */
export interface Accepted {
  valid: true;
  supported: true;
  kind: Kind;
  /** The address in its normal form, the same for all texts of one account. Store and compare this. */
  normalized: string;
  /** The tag in its normal form, including a tag embedded in the address. */
  destinationTag?: string;
  /** The type of the memo; always `text` for Cosmos and TON. */
  memoType?: MemoType;
  warnings?: Warning[];
  reason?: undefined;
  positions?: undefined;
  suggestion?: undefined;
  looksLike?: undefined;
  error?: undefined;
}

/** The verdict on a refused address: money must not be sent to it. */
export interface Refused {
  valid: false;
  supported: true;
  reason: Reason;
  /** Positions of errors in the address: indices into the string. Show them; do not correct anything. */
  positions?: number[];
  /** The correct form of the refused text: of the tag if the reason concerns the tag, otherwise of the address. */
  suggestion?: string;
  /** The tag that belongs to the suggested address: take both, and `memoType`. */
  destinationTag?: string;
  /** The type of that tag; for Stellar only. */
  memoType?: MemoType;
  /** The network for which the text is valid, or which it names. */
  looksLike?: Network;
  /** The kind of the address, if only its tag is wrong. */
  kind?: Kind;
  warnings?: Warning[];
  normalized?: undefined;
  error?: undefined;
}

/** The currency does not exist on that network, or the request itself is invalid. Nothing else was checked. */
export interface Unsupported {
  valid: false;
  supported: false;
  /** What is wrong with the request: it is no object, its address no string, a property unknown, or both names of the tag are given. */
  error?: string;
  kind?: undefined;
  normalized?: undefined;
  destinationTag?: undefined;
  memoType?: undefined;
  reason?: undefined;
  positions?: undefined;
  warnings?: undefined;
  suggestion?: undefined;
  looksLike?: undefined;
}

/** The result of {@link validate}. Properties that do not apply are absent, so it is also its own JSON form. */
export type Verdict = Accepted | Refused | Unsupported;

/** One network of a currency. */
export interface CurrencyNetwork {
  readonly network: Network;
  /** The name shown to payers. */
  readonly name: string;
  /** The token standard that wallets and exchanges show with the name; only for tokens: `ERC-20`. */
  readonly tokenStandard?: string;
  /** The token's contract; absent for a network's own coin. */
  readonly contract?: string;
  /** What is needed in addition to the address to credit the right customer. */
  readonly tag: "NONE" | "DESTINATION_TAG" | "MEMO";
  readonly deposit: boolean;
  readonly withdrawal: boolean;
  /** Decimal places of an atomic unit: 6 for USDT on ETH, 18 for USDT on BSC. */
  readonly decimals: number;
  /** Decimal places of quotes. */
  readonly quotePrecision: number;
}

/** One row of {@link currencies}. */
export interface CurrencyInfo {
  readonly currency: Currency;
  /** The name shown to payers. */
  readonly name: string;
  readonly networks: readonly CurrencyNetwork[];
}

/** The argument of {@link paymentUri}. */
export interface PaymentRequest extends AddressRequest {
  /** Whole coins as a decimal text (`"0.5"`), or atoms as a bigint (`50000000n`). If absent, the payer chooses the amount. */
  amount?: string | bigint | null | undefined;
}

/** An invalid argument. {@link validate} and {@link isValid} never throw it for the content of a request. */
export class CheckoutError extends Error {
  name: "CheckoutError";
  /** Stable, for machines; `message` is one English sentence. */
  readonly code:
    | AmountCode
    | Reason
    | "unsupported_pair"
    | "unknown_key"
    | "unknown_option"
    | "unknown_table"
    | "two_tags"
    | "unreadable_request"
    | "not_a_text"
    | "not_initialized";
}

/** The source of the module, if not the `core.wasm` next to the package's files. */
export type InitSource =
  | string
  | ArrayBuffer
  | ArrayBufferView
  | Global<"URL">
  | Global<"Request">
  | Global<"Response">
  | WasmModule;

// Platform types, if TypeScript has them.
type Global<Name extends string> = typeof globalThis extends Record<Name, { prototype: infer Instance }>
  ? Instance
  : never;
type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never;

/**
 * Loads the module. One call is enough; further calls return at once. In Node the module is loaded on import,
 * so this does nothing. After a failed load, the next call tries again.
 *
 * @param source the module's source, for a content delivery network, a bundler or a worker.
 */
export function init(source?: InitSource | Promise<InitSource>): Promise<void>;

/**
 * Checks an address and its tag. Reports what is wrong, at which position, and the correct form if there is
 * one.
 *
 * It never throws for the content of a request: any type and any length of text has a verdict.
 */
export function validate(request: AddressRequest): Verdict;

/** Returns the `valid` of {@link validate}; faster, because it computes no normal form. It never throws either. */
export function isValid(request: AddressRequest): boolean;

/** One English sentence about a reason; `undefined` for an unknown reason. */
export function explain(reason: Reason): string;
export function explain(reason: string | undefined): string | undefined;

/**
 * Converts a decimal text in whole coins to atoms (satoshi, wei, drops …). Nothing is rounded.
 *
 * The text is `0` or digits without a leading zero, with an optional fraction after a point.
 *
 * @throws {@link CheckoutError} for a sign, an exponent, whitespace, too many decimals or digits, and for a pair that does not exist.
 */
export function parseAmount(amount: string, currency: Currency | (string & {}), network: Network | (string & {})): bigint;

/**
 * The shortest decimal text in whole coins: no exponent, no grouping, no trailing zeros.
 *
 * @param atoms as a bigint, or as a text of digits.
 * @throws {@link CheckoutError} if it is negative, not a whole number, or above 10^38 − 1.
 */
export function formatAmount(
  atoms: bigint | string,
  currency: Currency | (string & {}),
  network: Network | (string & {}),
): string;

/**
 * The payment URI for wallets, with the whole payment (BIP-321, ERC-681, SEP-7 …). TRON has no standard, so
 * its URI is the plain address.
 *
 * @throws {@link CheckoutError} if the address, the tag or the amount is refused; `code` is the reason.
 */
export function paymentUri(request: PaymentRequest): string;

/** All currencies with their networks, as one frozen table. */
export function currencies(): readonly CurrencyInfo[];
