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
const TEST_NETWORKS = 1 << 4;
const FIRST_OPTION = 4;

/** The functions, and `connect`, which sets the instance that they call. */
export function create() {
  const encoder = new TextEncoder();
  // Without this option the decoder would drop a byte order mark, which a memo may start with.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  let module;
  // The module's word lists and tables, and its rows by currency and network.
  let words, longest;
  const rows = new Map();
  // Views of the module's memory. They detach when it grows; `look` recreates them.
  let main, tag, decimal, output;
  // Set by `read` for the following call.
  let bits, addressLength, tagLength;

  function connect(instance) {
    const { describe, memory, output: start } = instance.exports;
    const length = describe();
    words = JSON.parse(decoder.decode(new Uint8Array(memory.buffer, start(), length)));
    longest = words.limits[0];
    for (const { currency } of words.currencies) rows.set(currency, new Map());
    words.pairs.forEach(([currency, network], row) => rows.get(currency).set(network, row));
    freeze(words.currencies);
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

  function read(address, destinationTag, memoType, allowTestNetworks, options) {
    bits = allowTestNetworks === true ? TEST_NETWORKS : 0;
    addressLength = typeof address === "string" ? put(address, main) : 0;
    tagLength = 0;
    if (destinationTag !== undefined && destinationTag !== null) {
      const text = tagText(destinationTag);
      if (text === undefined) bits |= UNREADABLE_TAG;
      else tagLength = put(text, tag);
    }
    if (memoType !== undefined && memoType !== null) {
      const place = words.memoTypes.indexOf(memoType);
      bits |= place < 0 ? UNKNOWN_MEMO_TYPE : place + 1;
    }
    if (options !== undefined && options !== null) {
      words.options.forEach((name, place) => {
        if (options[name] === true) bits |= 1 << (FIRST_OPTION + place);
      });
    }
  }

  function validate(request) {
    ready();
    let row, address;
    try {
      let currency, network, destinationTag, memoType, allowTestNetworks, options;
      ({ currency, network, address, destinationTag, memoType, allowTestNetworks, options } = request);
      row = rows.get(currency)?.get(network);
      if (row === undefined) return { valid: false, supported: false };
      read(address, destinationTag, memoType, allowTestNetworks, options);
    } catch {
      // Only for non-objects, and for objects whose properties throw.
      return { valid: false, supported: false };
    }
    const answer = module.validate(row, addressLength, tagLength, bits);
    if ((answer & (VALID | NORMAL | OUTPUT)) === (VALID | NORMAL) && answer >>> WARNINGS === 0) {
      return { valid: true, supported: true, kind: words.kinds[((answer >>> KIND) & 31) - 1], normalized: address };
    }
    return verdict(answer, address);
  }

  function verdict(bits, address) {
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
    let row;
    try {
      const { currency, network, address, destinationTag, memoType, allowTestNetworks, options } = request;
      row = rows.get(currency)?.get(network);
      if (row === undefined) return false;
      read(address, destinationTag, memoType, allowTestNetworks, options);
    } catch {
      return false;
    }
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
    const { currency, network, address, destinationTag, memoType, amount, allowTestNetworks, options } = request;
    const row = rowOf(currency, network);
    const coins = typeof amount === "bigint" ? formatAmount(amount, currency, network) : amount;
    read(text(address, "the address"), destinationTag, memoType, allowTestNetworks, options);
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
