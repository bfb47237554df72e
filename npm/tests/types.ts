// Compiled but never run: valid and invalid uses of the types.

import {
  type AddressRequest, type AmountCode, CheckoutError, type Currency, type CurrencyInfo, type MemoType, type Network,
  type Reason, type Verdict, type Warning, currencies, explain, formatAmount, init, isValid, parseAmount, paymentUri, validate,
} from "@crypto-checkout/core";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(): T | undefined => undefined;

const request: AddressRequest = { currency: "BTC", network: "BTC", address: "x" };
const verdict: Verdict = validate(request);

if (verdict.valid) {
  is<Equal<typeof verdict.normalized, string>>();
  is<Equal<typeof verdict.warnings, Warning[] | undefined>>();
  is<Equal<typeof verdict.reason, undefined>>();
} else if (verdict.supported) {
  is<Equal<typeof verdict.reason, Reason>>();
  is<Equal<typeof verdict.positions, number[] | undefined>>();
  is<Equal<typeof verdict.looksLike, Network | undefined>>();
  is<Equal<typeof verdict.memoType, MemoType | undefined>>();
  const sentence: string = explain(verdict.reason);
  void sentence;
} else {
  is<Equal<typeof verdict.reason, undefined>>();
  is<Equal<typeof verdict.error, string | undefined>>();
}
// Without narrowing first.
is<Equal<typeof verdict.reason, Reason | undefined>>();
is<Equal<typeof verdict.suggestion, string | undefined>>();

const given: string = "from a form";
isValid({ currency: given, network: given, address: given, destinationTag: 7n, memoType: "id", allowTestNetworks: true });
isValid({ ...request, options: { allowLegacyBch: true, refuseNoChecksum: false, allowMweb: undefined } });
isValid({ currency: "XRP", network: "XRP", address: given, tag: 7 });
isValid({ currency: "XRP", network: "XRP", address: given, destinationTag: undefined, memoType: null });
const atoms: bigint = parseAmount("1", "USDT", "BSC");
const text: string = formatAmount(atoms, given, given) + formatAmount(parseAmount("1", given, given), "BTC", "BTC");
const uri: string = paymentUri({ ...request, amount: atoms }) + paymentUri({ ...request, amount: "0.1" });
const table: readonly CurrencyInfo[] = currencies();
const currency: Currency | undefined = table[0]?.currency;
const loaded: Promise<void> = init();
void init(new Uint8Array());
void init("https://example.com/core.wasm");
void [text, uri, currency, loaded, explain(given)];

try {
  parseAmount("x", "BTC", "BTC");
} catch (error) {
  if (error instanceof CheckoutError) {
    type Mistake = "unsupported_pair" | "unknown_key" | "unknown_option" | "unknown_table" | "two_tags" | "unreadable_request" | "not_a_text" | "not_initialized";
    is<Equal<typeof error.code, AmountCode | Reason | Mistake>>();
  }
}

// @ts-expect-error the address is missing
validate({ currency: "BTC", network: "BTC" });
// @ts-expect-error not a text
validate({ currency: "BTC", network: "BTC", address: 7 });
// @ts-expect-error not a property
validate({ ...request, memo: "7" });
// @ts-expect-error not a memo type
validate({ ...request, memoType: "return" });
// @ts-expect-error not an option
validate({ ...request, options: { allowEverything: true } });
// @ts-expect-error a float is not an amount
parseAmount(0.5, "BTC", "BTC");
// @ts-expect-error a float is not an amount
paymentUri({ ...request, amount: 0.5 });
// @ts-expect-error a refusal's property must not be read as an acceptance's
verdict.normalized.length;
// @ts-expect-error the table is frozen
table[0].networks.push();
