/**
 * Crypto addresses, destination tags, amounts and payment URIs, checked by the rules of a payment gateway.
 *
 * In Node the functions work as soon as the package is imported. In a browser, call {@link init} once before them:
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

/** A currency of the table, see {@link currencies}. */
export type Currency = "BTC" | "ETH" | "USDT" | "USDC" | "LTC" | "BCH" | "XRP" | "XLM" | "LINK";

/** A network of the table, see {@link currencies}. */
export type Network = "BTC" | "BCH" | "LTC" | "ETH" | "BSC" | "TRX" | "XRP" | "XLM";

/** How a Stellar memo is meant. */
export type MemoType = "text" | "id" | "hash";

/** What an address pays to. */
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
  /** A witness program that no rule of today covers (BIP-350). */
  | "future_witness"
  /** Litecoin: a stealth address in the MimbleWimble extension block. */
  | "mweb"
  /** Bitcoin Cash: a script hash of 32 bytes. */
  | "p2sh32"
  /** Bitcoin Cash: as `p2pkh`, of a wallet that knows CashTokens. */
  | "token_p2pkh"
  /** Bitcoin Cash: as `p2sh`, of a wallet that knows CashTokens. */
  | "token_p2sh"
  /** Bitcoin Cash: as `p2sh32`, of a wallet that knows CashTokens. */
  | "token_p2sh32"
  /** An account: EVM, TRON, Stellar `G…`. */
  | "account"
  /** XRP Ledger: an account, `r…`. */
  | "classic"
  /** XRP Ledger: an account with or without its tag in one text, `X…` (XLS-5). */
  | "x_address"
  /** Stellar: an account and an id in one text, `M…` (SEP-23). */
  | "muxed"
  /** Stellar: a contract, `C…` (SEP-23). */
  | "contract";

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
  | "contract_address"
  | "uri_like"
  | "unknown_flags"
  | "unsupported_tag"
  | "conflicting_tag"
  | "conflicting_memo"
  | "tag_not_digits"
  | "tag_leading_zero"
  | "tag_too_large"
  | "memo_too_long"
  | "memo_not_hash"
  | "future_witness_version"
  | "no_checksum"
  | "tag_inside";

/** What is right but worth a second look. */
export type Warning =
  /** An EVM address in one letter case: a typing error would go unseen. */
  | "no_checksum"
  /** A witness version that no rule of today covers. */
  | "future_witness_version"
  /** The network has no tags; the one given has no effect. */
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

/** What {@link validate} and {@link isValid} are asked. Properties beside these are ignored. */
export interface AddressRequest {
  /** One of {@link Currency}, exactly; any other text is an unsupported pair. */
  currency: Currency | (string & {});
  /** One of {@link Network}, exactly; any other text is an unsupported pair. */
  network: Network | (string & {});
  /** The address as it was given: nothing is trimmed or corrected. */
  address: string;
  /**
   * XRP destination tag or Stellar memo. An empty text is no tag. A number must be a safe integer; what JavaScript
   * may have rounded already is refused as `tag_not_digits`, as is a value of any other type.
   */
  destinationTag?: string | number | bigint | null | undefined;
  /**
   * How a Stellar memo is meant; without it a memo is an `id` when it is a canonical `u64`, else a `text`. With a type
   * that there is not no memo can be read: it is refused as `tag_not_digits`.
   */
  memoType?: MemoType | null | undefined;
  /** The same as `options.allowTestNetworks`. */
  allowTestNetworks?: boolean | undefined;
  /** Which disputed forms pass. */
  options?: AddressOptions | null | undefined;
}

/**
 * What may pass beyond the strict rules (`allow…`), and what may not though they let it (`refuse…`). Only `true` counts.
 * What is allowed is written in its normal form all the same.
 */
export interface AddressOptions {
  /** Addresses of test networks, else `test_network`. */
  allowTestNetworks?: boolean | undefined;
  /** Bitcoin Cash in base58 (`1…`, `3…`), else `legacy_format`. The same text is a Bitcoin address. */
  allowLegacyBch?: boolean | undefined;
  /** Litecoin scripts with their old version (`3…`), else `legacy_prefix`. The same text is a Bitcoin address. */
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
  /** Blanks before and after an address, else `surrounding_whitespace`. */
  allowSurroundingBlanks?: boolean | undefined;
  /** Refuse witness programs that no rule of today covers, as `future_witness_version`; else a warning. */
  refuseFutureWitness?: boolean | undefined;
  /** Refuse EVM addresses in one letter case, as `no_checksum`; else a warning. */
  refuseNoChecksum?: boolean | undefined;
  /** Refuse X-addresses and muxed accounts, as `tag_inside`: account and tag must be given apart. */
  refuseTagInside?: boolean | undefined;
}

/** Money may be sent there. */
export interface Accepted {
  valid: true;
  supported: true;
  kind: Kind;
  /** The address in its normal form: of all texts of one account the same. Store and compare this. */
  normalized: string;
  /** The tag in its normal form, also when it came inside the address. */
  destinationTag?: string;
  /** How the memo is meant; for Stellar only. */
  memoType?: MemoType;
  warnings?: Warning[];
  reason?: undefined;
  positions?: undefined;
  suggestion?: undefined;
  looksLike?: undefined;
}

/** Money must not be sent there. */
export interface Refused {
  valid: false;
  supported: true;
  reason: Reason;
  /** Where the address is wrong: indices into the string. Show them; correct nothing. */
  positions?: number[];
  /** The right form of what was refused: of the tag when the reason is one of the tag, else of the address. */
  suggestion?: string;
  /** The tag that belongs to the suggested address. */
  destinationTag?: string;
  /** The network for which the text would be right. */
  looksLike?: Network;
  /** What the address pays to, when only its tag is wrong. */
  kind?: Kind;
  warnings?: Warning[];
  memoType?: undefined;
  normalized?: undefined;
}

/** The currency does not travel on that network. Nothing else was looked at. */
export interface Unsupported {
  valid: false;
  supported: false;
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

/** The answer of {@link validate}. Properties that do not apply are absent, so it is also its own JSON form. */
export type Verdict = Accepted | Refused | Unsupported;

/** One network of a currency. */
export interface CurrencyNetwork {
  readonly network: Network;
  /** The name a payer knows. */
  readonly name: string;
  /** The standard that wallets and exchanges show beside the name, for tokens only: `ERC-20`. */
  readonly tokenStandard?: string;
  /** The token's contract; absent for a network's own coin. */
  readonly contract?: string;
  /** What is needed beside the address to credit the right person. */
  readonly tag: "NONE" | "DESTINATION_TAG" | "MEMO";
  readonly deposit: boolean;
  readonly withdrawal: boolean;
  /** Decimal places of one atom: 6 for USDT on ETH, 18 for USDT on BSC. */
  readonly decimals: number;
  /** Decimal places of a quoted amount. */
  readonly quotePrecision: number;
}

/** One row of {@link currencies}. */
export interface CurrencyInfo {
  readonly currency: Currency;
  /** The name a payer knows. */
  readonly name: string;
  readonly networks: readonly CurrencyNetwork[];
}

/** What {@link paymentUri} writes. */
export interface PaymentRequest extends AddressRequest {
  /** Whole coins as a decimal text (`"0.5"`), or atoms as a bigint (`50000000n`). Without it the payer chooses. */
  amount?: string | bigint | null | undefined;
}

/** A mistake in what was asked for. {@link validate} and {@link isValid} never throw it for what they are asked. */
export class CheckoutError extends Error {
  name: "CheckoutError";
  /** Stable, for machines; `message` is one English sentence. */
  readonly code: AmountCode | Reason | "unsupported_pair" | "not_a_text" | "not_initialized";
}

/** Where the module comes from when it is not the `core.wasm` beside the package's files. */
export type InitSource =
  | string
  | ArrayBuffer
  | ArrayBufferView
  | Global<"URL">
  | Global<"Request">
  | Global<"Response">
  | WasmModule;

// Types of the platform, where TypeScript has been told of it.
type Global<Name extends string> = typeof globalThis extends Record<Name, { prototype: infer Instance }>
  ? Instance
  : never;
type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never;

/**
 * Loads the module; once is enough, and calling it again costs nothing. In Node the module is already there, so that
 * this does nothing. A load that failed is tried again by the next call.
 *
 * @param source where the module is, for a content delivery network, a bundler or a worker that wants it so.
 */
export function init(source?: InitSource | Promise<InitSource>): Promise<void>;

/**
 * Checks an address and its tag, and says what is wrong, where, and what would be right.
 *
 * It never throws for what it is asked: a request of any other type, and a text of any length, has its verdict.
 */
export function validate(request: AddressRequest): Verdict;

/** Whether {@link validate} would say `valid`; faster, because no normal form is made. It never throws either. */
export function isValid(request: AddressRequest): boolean;

/** One English sentence for people about a reason; `undefined` for what is none. */
export function explain(reason: Reason): string;
export function explain(reason: string | undefined): string | undefined;

/**
 * The atoms (satoshi, wei, drops …) of a decimal text in whole coins, exactly or not at all.
 *
 * The text is `0` or digits without a leading zero, with an optional fraction after a point.
 *
 * @throws {@link CheckoutError} a sign, an exponent, a blank, too many decimals or digits …: nothing is ever rounded.
 */
export function parseAmount(amount: string, currency: Currency, network: Network): bigint;

/**
 * The shortest decimal text in whole coins: no exponent, no grouping, no trailing zeros.
 *
 * @param atoms as a bigint, or as a text of digits.
 * @throws {@link CheckoutError} when it is negative, not a whole number, or above 10^38 − 1.
 */
export function formatAmount(atoms: bigint | string, currency: Currency, network: Network): string;

/**
 * The payment URI that a wallet reads to prepare the whole payment (BIP-321, ERC-681, SEP-7 …). TRON has no standard
 * for one, so that there it is the address.
 *
 * @throws {@link CheckoutError} when the address, the tag or the amount is refused; `code` is the reason.
 */
export function paymentUri(request: PaymentRequest): string;

/** Every currency with its networks, as one frozen table. */
export function currencies(): readonly CurrencyInfo[];
