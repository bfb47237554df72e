// The package's functions on top of the WebAssembly module. node.js and browser.js load it.

/** An invalid argument, with a stable `code`. */
export class CheckoutError extends Error {
  constructor(code, message) {
    super(message);
    this.name = "CheckoutError";
    this.code = code;
  }
}

// Passed as the length of a text that is too long to be read.
const TOO_LONG = 0xffffffff;

// The position of each part in the number returned by the module's `validate`. A word is 0 for none,
// otherwise one more than its index in its list.
const VALID = 1;
const SUPPORTED = 2;
const NORMAL = 4;
const OUTPUT = 8;
const KIND = 4;
const MEMO_TYPE = 9;
const REASON = 11;
const LOOKS_LIKE = 18;
const WARNINGS = 23;

// Request bits for the module; the memo type is in the lowest two.
const UNREADABLE_TAG = 1 << 2;
const UNKNOWN_MEMO_TYPE = 1 << 3;
const EMPTY_TAG = 1 << 4;
const TEST_NETWORKS = 1 << 5;
const FIRST_OPTION = 5;

const KEYS = ["currency", "network", "address", "destinationTag", "tag", "memoType", "allowTestNetworks", "options"];
const REQUEST = new Set(KEYS);
const URI_REQUEST = new Set([...KEYS, "amount"]);

// Mistakes in how something was asked, each a code and a sentence. No key is repeated: it may be a secret.
const UNKNOWN_KEY = ["unknown_key", `unknown key; there are ${KEYS.join(", ")}; amount for paymentUri`];
const UNKNOWN_OPTION = ["unknown_option", "options has an unknown key"];
const UNKNOWN_TABLE = ["unknown_table", "options.table is all or interface"];
const TWO_TAGS = ["two_tags", "give one of destinationTag and tag"];
const UNREADABLE = ["unreadable_request", "the request must be an object that can be read"];
const NO_TEXT = ["not_a_text", "the address must be a string"];

// Half of a character: UTF-8 has no bytes for it, and an encoder writes another character.
const LONE = /[\ud800-\udfff]/u;

/** The functions, and `connect`, which sets the instance that they call. */
export function create() {
  const encoder = new TextEncoder();
  // Without this option the decoder would drop a byte order mark, which a memo may start with.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  let module;
  // The module's word lists and tables, and its rows by currency and network.
  let words, longest, optionNames;
  const rows = new Map();
  // Views of the module's memory. They detach when it grows; `look` recreates them.
  let main, tag, decimal, output;
  // Set by `read` for the following call. `row` is undefined for a pair that does not exist.
  let row, address, bits, addressLength, tagLength, isBroken;

  function connect(instance) {
    const { describe, memory, output: start } = instance.exports;
    const length = describe();
    words = JSON.parse(decoder.decode(new Uint8Array(memory.buffer, start(), length)));
    longest = words.limits[0];
    words.pairs.forEach(([currency, network], row) => {
      if (!rows.has(currency)) rows.set(currency, new Map());
      rows.get(currency).set(network, row);
    });
    freeze(words.currencies);
    optionNames = new Set([...words.options, "table"]);
    module = instance.exports;
    look();
  }

  function look() {
    const { buffer } = module.memory;
    const start = module.input();
    const [, tagStart, decimalStart] = words.limits;
    const view = (from) => new Uint8Array(buffer, start + from, tagStart);
    [main, tag, decimal] = [view(0), view(tagStart), view(decimalStart)];
    output = new Uint8Array(buffer, module.output(), words.limits[3]);
  }

  function ready() {
    if (module === undefined) {
      throw new CheckoutError("not_initialized", "call `await init()` once before anything else");
    }
    if (main.length === 0) look();
  }

  // Writes a text into a view; returns its length.
  function put(text, view) {
    return text.length > longest ? TOO_LONG : encoder.encodeInto(text, view).written;
  }

  // Whether `put` wrote another text. One of ASCII has as many bytes as units.
  function isChanged(text, length) {
    return length !== text.length && length !== TOO_LONG && LONE.test(text);
  }

  function get(from, to) {
    return decoder.decode(output.subarray(from, to));
  }

  // The text of a result; a negative length marks an error.
  function answer(length) {
    if (output.length === 0) look();
    if (length >= 0) return get(0, length);
    const [code, message] = get(0, -length).split("\n");
    throw new CheckoutError(code, message);
  }

  function rowOf(currency, network) {
    const row = rows.get(currency)?.get(network);
    if (row === undefined) {
      throw new CheckoutError("unsupported_pair", "this currency does not exist on this network");
    }
    return row;
  }

  // Leaves what the module reads in its memory. Returns a mistake in how it was asked, never one of the address:
  // a misspelled `destinationTag` would send money to somebody else.
  function read(request, keys) {
    if (typeof request !== "object" || request === null) return UNREADABLE;
    try {
      return readParts(request, keys);
    } catch {
      return UNREADABLE;
    }
  }

  function readParts(request, keys) {
    const { currency, network, destinationTag, tag: otherTag, memoType, allowTestNetworks, options } = request;
    address = request.address;
    row = rows.get(currency)?.get(network);
    if (hasOthers(request, keys)) return UNKNOWN_KEY;
    if (hasOthers(options, optionNames)) return UNKNOWN_OPTION;
    const isNamed = destinationTag !== undefined && destinationTag !== null;
    if (isNamed && otherTag !== undefined && otherTag !== null) return TWO_TAGS;
    if (typeof address !== "string") return NO_TEXT;
    const given = isNamed ? destinationTag : otherTag;
    bits = allowTestNetworks === true ? TEST_NETWORKS : 0;
    addressLength = put(address, main);
    isBroken = isChanged(address, addressLength);
    tagLength = 0;
    if (given !== undefined && given !== null) {
      const text = tagText(given);
      if (text === "") bits |= EMPTY_TAG;
      else if (text !== undefined) tagLength = put(text, tag);
      if (text === undefined || isChanged(text, tagLength)) [tagLength, bits] = [0, bits | UNREADABLE_TAG];
    }
    if (memoType !== undefined && memoType !== null) {
      const place = words.memoTypes.indexOf(memoType);
      bits |= place < 0 ? UNKNOWN_MEMO_TYPE : place + 1;
    }
    if (options !== undefined && options !== null) {
      words.options.forEach((name, place) => {
        if (options[name] === true) bits |= 1 << (FIRST_OPTION + place);
      });
      const { table } = options;
      if (table === "interface") bits |= 1 << (FIRST_OPTION + words.options.length);
      else if (table !== undefined && table !== null && table !== "all") return UNKNOWN_TABLE;
    }
    return undefined;
  }

  function validate(request) {
    ready();
    const mistake = read(request, REQUEST);
    if (mistake !== undefined) return { valid: false, supported: false, error: mistake[1] };
    if (row === undefined) return { valid: false, supported: false };
    if (isBroken) return { valid: false, supported: true, reason: "bad_character", positions: [address.search(LONE)] };
    const answer = module.validate(row, addressLength, tagLength, bits);
    if ((answer & (VALID | NORMAL | OUTPUT)) === (VALID | NORMAL) && answer >>> WARNINGS === 0) {
      return { valid: true, supported: true, kind: words.kinds[((answer >>> KIND) & 31) - 1], normalized: address };
    }
    return verdict(answer);
  }

  function verdict(bits) {
    let normalized, destinationTag, suggestion, positions;
    if (bits & NORMAL) normalized = address;
    if (bits & OUTPUT) {
      if (output.length === 0) look();
      const tagStart = 4 + output[0];
      const suggestionStart = tagStart + output[1];
      const positionsStart = suggestionStart + output[2];
      if (output[0] > 0) normalized = get(4, tagStart);
      if (output[1] > 0) destinationTag = get(tagStart, suggestionStart);
      if (output[2] > 0) suggestion = get(suggestionStart, positionsStart);
      if (output[3] > 0) positions = output.slice(positionsStart, positionsStart + output[3]);
    }
    const word = (list, at, mask) => list[((bits >>> at) & mask) - 1];
    const kind = word(words.kinds, KIND, 31);
    const memoType = word(words.memoTypes, MEMO_TYPE, 3);
    const reason = word(words.reasons, REASON, 127);
    const looksLike = word(words.networks, LOOKS_LIKE, 31);
    const warnings = bits >>> WARNINGS;

    const verdict = { valid: (bits & VALID) !== 0, supported: (bits & SUPPORTED) !== 0 };
    if (kind !== undefined) verdict.kind = kind;
    if (normalized !== undefined) verdict.normalized = normalized;
    if (destinationTag !== undefined) verdict.destinationTag = destinationTag;
    if (memoType !== undefined) verdict.memoType = memoType;
    if (reason !== undefined) verdict.reason = reason;
    if (positions !== undefined) verdict.positions = unitsAt(address, positions);
    if (warnings !== 0) verdict.warnings = words.warnings.filter((_, place) => (warnings >>> place) & 1);
    if (suggestion !== undefined) verdict.suggestion = suggestion;
    if (looksLike !== undefined) verdict.looksLike = looksLike;
    return verdict;
  }

  function isValid(request) {
    ready();
    if (read(request, REQUEST) !== undefined || row === undefined || isBroken) return false;
    return module.is_valid(row, addressLength, tagLength, bits) === 1;
  }

  function explain(reason) {
    ready();
    return words.messages[words.reasons.indexOf(reason)];
  }

  function parseAmount(amount, currency, network) {
    ready();
    const row = rowOf(currency, network);
    const failure = module.parse_amount(row, put(text(amount, "the amount"), main));
    if (failure > 0) answer(-failure);
    if (output.length === 0) look();
    const atoms = new DataView(output.buffer, output.byteOffset, 16);
    return (atoms.getBigUint64(8, true) << 64n) | atoms.getBigUint64(0, true);
  }

  function formatAmount(atoms, currency, network) {
    ready();
    const row = rowOf(currency, network);
    const digits = typeof atoms === "bigint" ? digitsOf(atoms) : text(atoms, "the number of atoms");
    return answer(module.format_amount(row, put(digits, main)));
  }

  function paymentUri(request) {
    ready();
    const ask = () => {
      const mistake = read(request, URI_REQUEST);
      if (mistake !== undefined) throw new CheckoutError(...mistake);
      return request;
    };
    const { currency, network, amount } = ask();
    rowOf(currency, network);
    let coins = amount;
    if (typeof amount === "bigint") {
      coins = formatAmount(amount, currency, network);
      // `formatAmount` wrote over the address.
      ask();
    }
    if (isBroken) throw new CheckoutError("bad_character", explain("bad_character"));
    const given = coins !== undefined && coins !== null;
    const length = given ? put(text(coins, "the amount"), decimal) : 0;
    return answer(module.payment_uri(row, addressLength, tagLength, given ? 1 : 0, length, bits));
  }

  function currencies() {
    ready();
    return words.currencies;
  }

  return { connect, currencies, explain, formatAmount, isValid, parseAmount, paymentUri, validate };
}

function text(value, what) {
  if (typeof value !== "string") throw new CheckoutError("not_a_text", `${what} must be a string`);
  return value;
}

// Whether an object has unknown keys of its own.
function hasOthers(object, known) {
  if (typeof object !== "object") return false;
  for (const key in object) if (!known.has(key) && Object.prototype.hasOwnProperty.call(object, key)) return true;
  return false;
}

// Formatting a huge number takes quadratic time; beyond every limit a shorter one gives the same result.
function digitsOf(number) {
  const limit = 1n << 128n;
  return String(number > limit ? limit : number < -limit ? -limit : number);
}

// A tag as text. A number above 2^53 may already be rounded.
function tagText(value) {
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return digitsOf(value);
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

// The string indices of the characters that contain these UTF-8 bytes.
function unitsAt(string, bytes) {
  return [...new Set(Array.from(bytes, (byte) => unitAt(string, byte)))];
}

function unitAt(string, byte) {
  let unit = 0;
  let end = 0;
  for (const character of string) {
    const code = character.codePointAt(0);
    end += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (end > byte) break;
    unit += character.length;
  }
  return unit;
}

function freeze(value) {
  if (typeof value === "object") Object.values(Object.freeze(value)).forEach(freeze);
}
