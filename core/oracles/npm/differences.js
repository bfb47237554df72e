// Deliberate differences of the core, with the reason. A difference that no question shows fails the test.
// `is` is as narrow as the reason: everything else is an error of the core or of the peer.

const SCURE = "@scure/btc-signer 2.4.1";
const LIBAUTH = "@bitauth/libauth 3.0.0";
const RIPPLE = "ripple-address-codec 5.0.1";
const TRONWEB = "tronweb 6.5.1";
const POLKADOT = "@polkadot/util-crypto 14.0.3";
const CARDANO = "@emurgo/cardano-serialization-lib-nodejs 15.0.3";
const SOLANA = "@solana/addresses 8.4.0";
const COSMJS = "@cosmjs/encoding 0.39.0";
const TON = "@ton/core 0.63.1";
const SUI = "@mysten/sui 1.45.2";
const APTOS = "@aptos-labs/ts-sdk 6.3.1";

const BURN =
  "it has no list of burn addresses; coins sent there are lost";

const zeros = (payload) => /^0+$/.test(payload);
// Of Solana's incinerator, of the masterchain of TON, and the system's accounts of Sui and Aptos.
const LISTED =
  /^(003390728d34116079bdc911bfff00dbd44d2ecdccf79ca6e10038e100000000|ff0{64}|0{63}[0-9a-f])$/;
const listed = (ours, theirs) =>
  ours.reason === "burn_address" && theirs !== null && (zeros(theirs.payload) || LISTED.test(theirs.payload));
const burned = (ours, theirs) => ours.reason === "burn_address" && theirs !== null && zeros(theirs.payload);

const scure = (network) => [
  { peer: SCURE, network, why: BURN, is: burned },
  {
    peer: SCURE,
    network,
    why: "it refuses witness versions after taproot; BIP-350 asks wallets to pay to them, so that they need no update (warning future_witness_version)",
    is: (ours, theirs) => theirs === null && ours.kind === "future_witness",
  },
];

export const differences = [
  ...scure("BTC"),
  ...scure("LTC"),
  {
    peer: SCURE,
    network: "LTC",
    why: "it refuses base58 that starts with the letters of the segwit prefix in another case, such as LTc1: its checksum and version are right",
    is: (ours, theirs) => theirs === null && ours.kind === "p2pkh" && /^ltc1/i.test(ours.normal),
  },
  { peer: LIBAUTH, network: "BCH", why: BURN, is: burned },
  {
    peer: LIBAUTH,
    network: "BCH",
    why: "it accepts mixed case in one text, which the specification refuses",
    is: ({ reason, address }, theirs) =>
      reason === "mixed_case" && theirs !== null && /[a-z]/.test(address) && /[A-Z]/.test(address),
  },
  {
    peer: LIBAUTH,
    network: "BCH",
    why: "it accepts hash sizes that no output uses: 20 bytes, or 32 for scripts",
    is: ({ reason }, theirs) => {
      if (reason !== "unsupported_hash_size" || theirs === null) return false;
      const bytes = theirs.payload.length / 2;
      return ![20, 32].includes(bytes) || (bytes === 32 && /p2pkh/.test(theirs.kind));
    },
  },
  { peer: RIPPLE, network: "XRP", why: BURN, is: burned },
  {
    peer: RIPPLE,
    network: "XRP",
    why: "it does not check the length of an X-address: the tag of a shorter or longer one is read from the wrong bytes",
    is: ({ reason, address }, theirs) => reason !== null && theirs?.kind === "x_address" && address.length !== 47,
  },
  {
    peer: RIPPLE,
    network: "XRP",
    why: "it ignores the bytes of an X-address that XLS-5 reserves: a 64-bit tag passes as its lower half, and the payment is credited to someone else",
    is: ({ reason }, theirs) => reason === "reserved_bits" && theirs?.kind === "x_address",
  },
  { peer: POLKADOT, network: "DOT", why: BURN, is: burned },
  { peer: CARDANO, network: "ADA", why: BURN, is: burned },
  {
    peer: CARDANO,
    network: "ADA",
    why: "it accepts a pointer that the ledger does not: with leading zeros, or of more than 32 and 16 bits; it writes another one",
    is: ({ reason, address }, theirs) =>
      ["reserved_bits", "undefined_type"].includes(reason) && theirs?.kind === "shelley" && /^addr1[g2]/.test(address),
  },
  { peer: TRONWEB, network: "TRX", why: BURN, is: burned },
  {
    peer: TRONWEB,
    network: "TRX",
    why: "it accepts the hexadecimal form, which has no checksum; the right form is suggested",
    is: ({ reason, address }, theirs) => reason === "hex_form" && theirs !== null && /^41[0-9a-fA-F]{40}$/.test(address),
  },
  { peer: SOLANA, network: "SOL", why: BURN, is: listed },
  { peer: COSMJS, network: "ATOM", why: BURN, is: burned },
  { peer: TON, network: "TON", why: BURN, is: listed },
  {
    peer: TON,
    network: "TON",
    why: "it accepts workchains that do not exist: only 0 and -1 do, and coins sent to another are refused or lost",
    is: ({ reason }, theirs) => reason === "bad_version" && theirs !== null && !/^(00|ff)/.test(theirs.payload),
  },
  {
    peer: TON,
    network: "TON",
    why: "it accepts digits of both alphabets in one text, which no program writes",
    is: ({ reason, address }, theirs) =>
      reason === "bad_character" && theirs !== null && /[-_]/.test(address) && /[+/]/.test(address),
  },
  { peer: SUI, network: "SUI", why: BURN, is: listed },
  {
    peer: SUI,
    network: "SUI",
    why: "it accepts 64 digits without 0x, which are written as a private key is",
    is: ({ reason, address }, theirs) => reason === "secret" && theirs !== null && /^[0-9a-f]{64}$/i.test(address),
  },
  {
    peer: SUI,
    network: "SUI",
    why: "it accepts 0X for 0x; the right form is suggested",
    is: ({ reason, address }, theirs) => reason === "bad_prefix" && theirs !== null && address.startsWith("0X"),
  },
  { peer: APTOS, network: "APT", why: BURN, is: listed },
];
