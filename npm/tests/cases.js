// The package's tests for both Node and browsers: nothing here depends on the platform.

/** One object of each line. */
export const lines = (text) => text.trimEnd().split("\n").map((line) => JSON.parse(line));

export function same(actual, expected, what) {
  const [have, want] = [shown(actual), shown(expected)];
  if (have !== want) throw new Error(`${what}\n  have ${have}\n  want ${want}`);
}

// As text with sorted keys, which distinguishes undefined, bigints, NaN and -0 from everything else.
function shown(value) {
  if (Array.isArray(value)) return `[${value.map(shown).join(",")}]`;
  if (value !== null && typeof value === "object") {
    return `{${Object.keys(value).sort().map((key) => `${key}:${shown(value[key])}`).join(",")}}`;
  }
  if (typeof value === "bigint") return `${value}n`;
  return typeof value === "string" ? JSON.stringify(value) : Object.is(value, -0) ? "-0" : String(value);
}

function codeOf(action) {
  try {
    return { value: action() };
  } catch (error) {
    return error.name === "CheckoutError" && error.message.length > 5 ? error.code : error;
  }
}

const BITCOIN = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const XRP = "rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY";
const STELLAR = "GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ";
const ETHEREUM = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

const throwing = new Proxy({}, {
  get() {
    throw new Error("a property that throws");
  },
});

// Values that are not strings.
const NOT_TEXTS = [
  undefined, null, true, false, 0, -0, NaN, Infinity, 7, 1n, Symbol("a"), {}, [], [BITCOIN], () => BITCOIN,
  new String(BITCOIN), new Date(0), Object.create(null), throwing, new Proxy(() => {}, {}), new Uint8Array(9), /a/,
];

// Strings that are not addresses.
const STRANGE = [
  "", " ", "\0", "\ud800", "\udfff\ud800", `\ufeff${BITCOIN}`, `${BITCOIN}\0`, "e\u0301", "😀".repeat(60),
  "\u202e".repeat(90), "ß".repeat(128), "İ".repeat(85), "__proto__", "constructor", "toString", "%00", "\uffff",
];

/** `name` and `run(api, {vectors, expected})`, which throws on an error. */
export const cases = [
  {
    name: "every published vector has its verdict",
    run({ isValid, validate }, { vectors }) {
      for (const { currency, network, address, destinationTag, memoType, ...vector } of vectors) {
        const request = { currency, network, address, destinationTag, memoType };
        const verdict = validate(request);
        if ("valid" in vector) same(verdict.valid, vector.valid, JSON.stringify(request));
        if ("supported" in vector) same(verdict.supported, vector.supported, JSON.stringify(request));
        same(isValid(request), verdict.valid, JSON.stringify(request));
      }
      if (vectors.length < 1500) throw new Error(`only ${vectors.length} vectors`);
    },
  },
  {
    name: "every verdict matches the native core",
    run({ isValid, validate }, { expected }) {
      const encoder = new TextEncoder();
      // The number of complete UTF-16 units before a byte position.
      const unit = (bytes, end) =>
        new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, end), { stream: true }).length;
      let located = 0;
      for (const { request, verdict } of expected) {
        const want = { ...verdict };
        if (verdict.positions) {
          located += 1;
          const bytes = encoder.encode(request.address);
          want.positions = [...new Set(verdict.positions.map((byte) => unit(bytes, byte)))];
        }
        const have = validate(request);
        same(have, want, JSON.stringify(request));
        same(JSON.parse(JSON.stringify(have)), have, "a verdict is its own JSON form");
        same(isValid(request), verdict.valid, JSON.stringify(request));
      }
      if (expected.length < 30_000 || located < 1_000) throw new Error(`${expected.length}, ${located} located`);
    },
  },
  {
    name: "validate never throws for any input",
    run({ isValid, validate }) {
      const check = (request, what) => {
        const verdict = validate(request);
        same(typeof verdict.valid, "boolean", what);
        same(isValid(request), verdict.valid, what);
        same(verdict.valid && verdict.normalized !== request.address, false, what);
        return verdict;
      };
      const good = { currency: "BTC", network: "BTC", address: BITCOIN };
      for (const [at, value] of [...NOT_TEXTS, ...STRANGE].entries()) {
        const what = `value ${at}`;
        same([check(value, what).valid, check(value, what).supported], [false, false], what);
        same(check({ ...good, currency: value }, what), { valid: false, supported: false }, what);
        same(check({ ...good, network: value }, what), { valid: false, supported: false }, what);
        const verdict = check({ ...good, address: value }, what);
        same([verdict.valid, verdict.supported], [false, typeof value === "string"], what);
        check({ ...good, destinationTag: value }, what);
        check({ ...good, memoType: value, allowTestNetworks: value }, what);
        check({ ...good, options: value }, what);
        same(check({ ...good, options: { allowTestNetworks: value } }, what).valid, true, what);
        check({ currency: "XRP", network: "XRP", address: XRP, destinationTag: value }, what);
        check({ currency: "XLM", network: "XLM", address: STELLAR, destinationTag: value, memoType: value }, what);
      }
      same(validate({ currency: "BTC", network: "BTC" }).error, "the address must be a string", "no address");
    },
  },
  {
    name: "a request that cannot be read is a mistake, never a verdict on an address",
    run({ isValid, paymentUri, validate }) {
      const check = (request, code, error, what) => {
        same(validate(request), { valid: false, supported: false, error }, what);
        same([isValid(request), codeOf(() => paymentUri(request))], [false, code], what);
      };
      const good = { currency: "BTC", network: "BTC" };
      for (const address of NOT_TEXTS) check({ ...good, address }, "not_a_text", "the address must be a string", typeof address);
      const trap = { ...good, get address() { throw new Error("a getter"); } };
      for (const request of [undefined, null, 42, true, "text", Symbol("a"), () => {}, throwing, trap]) {
        check(request, "unreadable_request", "the request must be an object that can be read", typeof request);
      }
    },
  },
  {
    name: "a lone surrogate is refused, never changed",
    run({ formatAmount, isValid, parseAmount, paymentUri, validate }) {
      const check = (request, expected) => {
        const { reason, positions, valid, destinationTag, suggestion } = validate(request);
        same([valid, reason, positions, destinationTag, suggestion], [false, ...expected, undefined, undefined], reason);
        same([isValid(request), codeOf(() => paymentUri(request))], [false, expected[0]], reason);
      };
      const xlm = { currency: "XLM", network: "XLM", address: STELLAR };
      const xrp = { currency: "XRP", network: "XRP", address: XRP };
      for (const lone of ["\ud800", "\udc00", "pay \ud800", "\udc00\ud800"]) {
        check({ ...xlm, destinationTag: lone }, ["tag_not_digits", undefined]);
        check({ ...xlm, destinationTag: lone, memoType: "text" }, ["tag_not_digits", undefined]);
        check({ ...xrp, tag: lone }, ["tag_not_digits", undefined]);
      }
      check({ ...xlm, address: `${STELLAR}?memo=\ud800` }, ["bad_character", [STELLAR.length + 6]]);
      check({ ...xlm, address: `\ud83d\ude00\ud800` }, ["bad_character", [2]]);
      same(validate({ currency: "TON", network: "XLM", address: "\ud800" }), { valid: false, supported: false }, "the pair first");
      same(validate({ ...xlm, destinationTag: "\ud83d\ude00" }).destinationTag, "\ud83d\ude00", "a pair of them is a character");
      same(codeOf(() => parseAmount("\ud800", "BTC", "BTC")), "character", "an amount");
      same(codeOf(() => formatAmount("\ud800", "BTC", "BTC")), "character", "atoms");
    },
  },
  {
    name: "a huge text is refused immediately",
    run({ formatAmount, isValid, parseAmount, validate }) {
      const started = performance.now();
      let calls = 0;
      for (const length of [401, 20_000, 1_000_000]) {
        for (const letter of ["1", "q", "a", "A", "0", "\0", "é", "😀", "\ud800"]) {
          const huge = letter.repeat(length);
          for (const [currency, network] of [["BTC", "BTC"], ["BCH", "BCH"], ["XRP", "XRP"], ["USDT", "ETH"], ["XLM", "XLM"]]) {
            for (const address of [huge, BITCOIN + huge]) {
              const verdict = validate({ currency, network, address });
              same(verdict, { valid: false, supported: true, reason: "too_long" }, `${length} × ${letter}`);
              same(isValid({ currency, network, address, destinationTag: huge }), false, "is not valid");
              calls += 2;
            }
          }
          same(validate({ currency: "XRP", network: "XRP", address: XRP, destinationTag: huge }).valid, false, "tag");
          same(codeOf(() => parseAmount(huge, "BTC", "BTC")), "too_large", "an amount");
          same(codeOf(() => formatAmount(huge, "BTC", "BTC")), "too_large", "atoms");
        }
      }
      const each = ((performance.now() - started) * 1000) / calls;
      // It takes well under one second, but other programs may be busy.
      if (each > 200) throw new Error(`${each} microseconds a call`);
    },
  },
  {
    name: "a tag may be a number if it is exact",
    run({ validate }) {
      const xrp = (destinationTag) => validate({ currency: "XRP", network: "XRP", address: XRP, destinationTag });
      const xlm = (destinationTag, memoType) =>
        validate({ currency: "XLM", network: "XLM", address: STELLAR, destinationTag, memoType });
      for (const tag of ["7", 7, 7n]) same(xrp(tag).destinationTag, "7", "XRP");
      same(xrp(0).destinationTag, "0", "zero is a tag");
      same(xrp(4294967295).destinationTag, "4294967295", "the largest one");
      same(xrp(4294967296).reason, "tag_too_large", "one more");
      same(xrp(10n ** 100_000n).reason, "tag_too_large", "a huge bigint");
      for (const tag of [undefined, null, ""]) same(xrp(tag).destinationTag, undefined, "no tag");
      for (const tag of [1.5, -1, NaN, 1e21, 2 ** 53, {}, true]) {
        same([xrp(tag).valid, xrp(tag).reason], [false, "tag_not_digits"], String(tag));
      }
      same(xlm(18446744073709551615n), {
        valid: true, supported: true, kind: "account", normalized: STELLAR,
        destinationTag: "18446744073709551615", memoType: "id",
      }, "XLM");
      for (const tag of [2 ** 53, 1.5, {}]) same(xlm(tag).valid, false, String(tag));
      same(xlm("hello").memoType, "text", "inferred");
      same(xlm("7", "text").memoType, "text", "explicit");
      for (const memo of ["\ufeffmark", "\u0000", "äöü😀"]) same(xlm(memo).destinationTag, memo, "unchanged");
      same(xlm("7", "return").valid, false, "an unknown type");
      same(validate({ currency: "BTC", network: "BTC", address: BITCOIN, destinationTag: {} }).warnings,
        ["tag_ignored"], "a network without tags");
    },
  },
  {
    name: "an unknown key is a mistake, never ignored",
    run({ isValid, paymentUri, validate }) {
      const xrp = { currency: "XRP", network: "XRP", address: XRP };
      for (const key of ["destinationtag", "Tag", "memo", "dt", "adress", "unknown", "SECRET"]) {
        const request = { ...xrp, [key]: "7" };
        const { error, ...verdict } = validate(request);
        same(verdict, { valid: false, supported: false }, key);
        same([/^unknown key; there are .*destinationTag/.test(error), error.includes("SECRET")], [true, false], error);
        same(isValid(request), false, key);
        same(codeOf(() => paymentUri(request)), "unknown_key", key);
      }
      const misspelt = { ...xrp, options: { refuseNoCheksum: true } };
      same(validate(misspelt), { valid: false, supported: false, error: "options has an unknown key" }, "options");
      same([isValid(misspelt), codeOf(() => paymentUri(misspelt))], [false, "unknown_option"], "options");
      same(validate({ ...xrp, currency: "NOPE", memo: "7" }).error?.startsWith("unknown key"), true, "before the pair");
      same(validate({ ...xrp, amount: "1" }).error?.startsWith("unknown key"), true, "an amount is for paymentUri");
      same(isValid(Object.assign(Object.create({ inherited: 1 }), xrp)), true, "what is inherited is not given");
    },
  },
  {
    name: "a tag has two names, of which one is given",
    run({ isValid, paymentUri, validate }) {
      const xrp = { currency: "XRP", network: "XRP", address: XRP };
      for (const given of [{ tag: 7 }, { tag: "7" }, { destinationTag: "7", tag: null }, { destinationTag: null, tag: 7n }]) {
        same(validate({ ...xrp, ...given }).destinationTag, "7", "the tag");
        same(paymentUri({ ...xrp, ...given }), paymentUri({ ...xrp, destinationTag: "7" }), "the link");
      }
      same(validate({ ...xrp, tag: "007" }).reason, "tag_leading_zero", "checked");
      const both = { ...xrp, destinationTag: "7", tag: "7" };
      same(validate(both), { valid: false, supported: false, error: "give one of destinationTag and tag" }, "both");
      same([isValid(both), codeOf(() => paymentUri(both))], [false, "two_tags"], "both");
    },
  },
  {
    name: "an empty memo of a named type is refused",
    run({ isValid, paymentUri, validate }) {
      const xlm = { currency: "XLM", network: "XLM", address: STELLAR };
      for (const memoType of ["text", "id", "hash"]) {
        same(validate({ ...xlm, destinationTag: "", memoType }).reason, "memo_empty", memoType);
        same(isValid({ ...xlm, tag: "", memoType }), false, memoType);
        same(codeOf(() => paymentUri({ ...xlm, tag: "", memoType })), "memo_empty", memoType);
        same(isValid({ ...xlm, memoType }), true, "no memo");
      }
      same(isValid({ ...xlm, tag: "" }), true, "no memo");
    },
  },
  {
    name: "an option accepts only its own form",
    run({ isValid, validate }) {
      const legacy = { currency: "BCH", network: "BCH", address: "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu" };
      const passed = validate({ ...legacy, options: { allowLegacyBch: true } });
      same(passed.normalized, "bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", "the normal form");
      for (const options of [undefined, null, {}, { allowLegacyBch: 1 }, { allowLegacyLtc: true }, "allowLegacyBch"]) {
        same(validate({ ...legacy, options }).reason, "legacy_format", JSON.stringify(options));
      }
      const lower = { currency: "ETH", network: "ETH", address: ETHEREUM.toLowerCase() };
      same([isValid(lower), isValid({ ...lower, options: { refuseNoChecksum: true } })], [true, false], "refused");
      const test = { currency: "BTC", network: "BTC", address: "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx" };
      same(isValid(test), false, "a test network");
      same(isValid({ ...test, allowTestNetworks: true }), true, "the short form");
      same(isValid({ ...test, options: { allowTestNetworks: true } }), true, "the long form");
    },
  },
  {
    name: "amounts are exact or refused",
    run({ formatAmount, parseAmount }) {
      const check = (text, currency, network, atoms) => {
        same(parseAmount(text, currency, network), atoms, text);
        same(formatAmount(atoms, currency, network), text, text);
        same(formatAmount(String(atoms), currency, network), text, text);
      };
      check("0", "BTC", "BTC", 0n);
      check("20999999.9769", "BTC", "BTC", 2_099_999_997_690_000n);
      check("0.000000000000000001", "ETH", "ETH", 1n);
      check("1.5", "USDT", "ETH", 1_500_000n);
      check("1.5", "USDT", "BSC", 1_500_000_000_000_000_000n);
      check("99999999999999999999.999999999999999999", "ETH", "ETH", 10n ** 38n - 1n);
      let seed = 1n;
      for (let round = 0; round < 5_000; round += 1) {
        seed = (seed * 6364136223846793005n + 1442695040888963407n) & ((1n << 126n) - 1n);
        const atoms = (seed >> BigInt(round % 126)) % 10n ** 38n;
        same(parseAmount(formatAmount(atoms, "LINK", "ETH"), "LINK", "ETH"), atoms, "print, then parse");
      }
      const parse = (text) => codeOf(() => parseAmount(text, "BTC", "BTC"));
      for (const [text, code] of [
        ["", "empty"], ["+1", "sign"], ["-1", "sign"], ["1e5", "exponent"], [" 1", "blank"], ["01", "leading_zero"],
        [".5", "bare_point"], ["5.", "bare_point"], ["1,5", "character"], ["١", "character"], ["\ud800", "character"],
        ["0.000000001", "too_many_decimals"], ["1".repeat(40), "too_large"], ["NaN", "character"],
      ]) same(parse(text), code, JSON.stringify(text));
      for (const value of NOT_TEXTS) same(parse(value), "not_a_text", typeof value);
      const format = (atoms) => codeOf(() => formatAmount(atoms, "BTC", "BTC"));
      same([format(-1n), format("-1"), format(10n ** 38n), format(10n ** 1_000_000n), format("1.5")],
        ["sign", "sign", "too_large", "too_large", "too_many_decimals"], "atoms");
      for (const value of NOT_TEXTS.filter((value) => typeof value !== "bigint")) {
        same(format(value), "not_a_text", typeof value);
      }
      same(codeOf(() => parseAmount("1", "BTC", "ETH")), "unsupported_pair", "pair");
      same(codeOf(() => formatAmount(1n, "__proto__", "constructor")), "unsupported_pair", "pair");
    },
  },
  {
    name: "a payment URI is written only for valid input",
    run({ paymentUri }) {
      const uri = (request) => codeOf(() => paymentUri(request));
      const check = (request, value) => same(uri(request), { value }, value);
      const bitcoin = { currency: "BTC", network: "BTC", address: BITCOIN };
      check(bitcoin, `bitcoin:${BITCOIN}`);
      check({ ...bitcoin, amount: "0.0005" }, `bitcoin:${BITCOIN}?amount=0.0005`);
      check({ ...bitcoin, destinationTag: "", amount: 50_000n }, `bitcoin:${BITCOIN}?amount=0.0005`);
      check({ currency: "ETH", network: "ETH", address: ETHEREUM.toLowerCase(), amount: "1" },
        `ethereum:${ETHEREUM}@1?value=1000000000000000000`);
      check({ currency: "XLM", network: "XLM", address: STELLAR, destinationTag: 7, amount: "1.5" },
        `web+stellar:pay?destination=${STELLAR}&amount=1.5&memo=7&memo_type=MEMO_ID`);
      const hash = "11".repeat(32);
      for (const [destinationTag, memoType, memo] of [
        ["7", "text", "7&memo_type=MEMO_TEXT"], ["007", "text", "007&memo_type=MEMO_TEXT"],
        [hash, "hash", "ERERERERERERERERERERERERERERERERERERERERERE%3D&memo_type=MEMO_HASH"],
      ]) {
        check({ currency: "XLM", network: "XLM", address: STELLAR, destinationTag, memoType },
          `web+stellar:pay?destination=${STELLAR}&memo=${memo}`);
      }
      same(uri({ ...bitcoin, address: `${BITCOIN.slice(0, -1)}q` }), "bad_checksum", "address");
      same(uri({ ...bitcoin, amount: 0.5 }), "not_a_text", "a float is not an amount");
      same(uri({ ...bitcoin, amount: "" }), "empty", "amount");
      same(uri({ ...bitcoin, amount: -1n }), "sign", "amount");
      same(uri({ ...bitcoin, network: "ETH" }), "unsupported_pair", "pair");
      same(uri({ currency: "XRP", network: "XRP", address: XRP, destinationTag: "007" }), "tag_leading_zero", "tag");
    },
  },
  {
    name: "the table is complete and frozen",
    run({ currencies, isValid, parseAmount }) {
      const table = currencies();
      same(table.slice(0, 3).map(({ currency }) => currency), ["BTC", "ETH", "USDT"], "currencies");
      for (const { currency, name, networks } of table) {
        same([typeof name, Object.isFrozen(networks), networks.length > 0], ["string", true, true], currency);
        for (const row of networks) {
          same(parseAmount("1", currency, row.network), 10n ** BigInt(row.decimals), `${currency} ${row.network}`);
          if (row.contract) same(isValid({ currency, network: row.network, address: row.contract }), true, row.contract);
        }
      }
      same(codeOf(() => table.push(1)) instanceof TypeError, true, "frozen");
      same(codeOf(() => { table[0].networks[0].decimals = 2; }) instanceof TypeError, true, "frozen");
    },
  },
  {
    name: "every reason has a sentence",
    run({ explain }, { expected }) {
      const reasons = new Set(expected.map(({ verdict }) => verdict.reason).filter(Boolean));
      if (reasons.size < 25) throw new Error(`only ${[...reasons]}`);
      for (const reason of reasons) same(explain(reason)?.length > 10, true, reason);
      for (const value of [...NOT_TEXTS, ...STRANGE]) same(explain(value), undefined, typeof value);
    },
  },
];
