// The measured kinds: a few thousand different addresses each, and the packages that check them.

import { randomBytes } from "node:crypto";

import { CashAddressNetworkPrefix, CashAddressType, decodeCashAddress, encodeCashAddress } from "@bitauth/libauth";
import { validate as dartess } from "@dartess/multicoin-address-validator";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import { Address, NETWORK } from "@scure/btc-signer";
import stellar from "@stellar/stellar-base";
import trustWallet from "@trustwallet/wallet-core";
import { validate as bitcoinAddressValidation } from "bitcoin-address-validation";
import { isAddress as ethers } from "ethers";
import multicoinAddressValidator from "multicoin-address-validator";
import * as ripple from "ripple-address-codec";
import { TronWeb } from "tronweb";
import { getAddress, isAddress as viem } from "viem";

const { StrKey } = stellar;
const trust = await trustWallet.initWasm();

// More than the 8,192 results that viem caches.
const MANY = 10_000;

const many = (make) => Array.from({ length: MANY }, make);
const base58check = createBase58check(sha256);
const ofHash = (version) => base58check.encode(Uint8Array.of(version, ...randomBytes(20)));
const segwit = (prefix) => bech32.encode(prefix, [0, ...bech32.toWords(randomBytes(20))]);

// Points of the curve, because some packages check taproot keys.
let point = secp256k1.Point.BASE;
function taproot() {
  point = point.add(secp256k1.Point.BASE);
  return bech32m.encode("bc", [1, ...bech32m.toWords(point.toBytes(true).slice(1))]);
}

function cashAddress() {
  const payload = new Uint8Array(randomBytes(20));
  return encodeCashAddress({ payload, prefix: CashAddressNetworkPrefix.mainnet, type: CashAddressType.p2pkh }).address;
}

const ethereum = () => getAddress(`0x${randomBytes(20).toString("hex")}`);

const decodes = (decode) => (address) => {
  try {
    decode(address);
    return true;
  } catch {
    return false;
  }
};

const bitcoin = Address(NETWORK);
const litecoin = Address({ bech32: "ltc", pubKeyHash: 0x30, scriptHash: 0x32 });
const scure = { "@scure/btc-signer": decodes((address) => bitcoin.decode(address)) };
const scureLitecoin = { "@scure/btc-signer": decodes((address) => litecoin.decode(address)) };
const inTrust = (coin) => ({ "Trust wallet-core": (address) => trust.AnyAddress.isValid(address, trust.CoinType[coin]) });
const peers = (code, others) => ({
  "multicoin-address-validator": (address) => multicoinAddressValidator.validate(address, code),
  "@dartess/multicoin": (address) => dartess(address, code),
  ...others,
});
const evm = { viem: (address) => viem(address), ethers };
const validation = { "bitcoin-address-validation": (address) => bitcoinAddressValidation(address) };

export const kinds = [
  ["P2PKH", "BTC", many(() => ofHash(0)), peers("btc", { ...scure, ...validation, ...inTrust("bitcoin") })],
  ["P2WPKH", "BTC", many(() => segwit("bc")), peers("btc", { ...scure, ...validation, ...inTrust("bitcoin") })],
  ["P2TR", "BTC", many(taproot), peers("btc", { ...scure, ...validation, ...inTrust("bitcoin") })],
  ["LTC L…", "LTC", many(() => ofHash(0x30)), peers("ltc", { ...scureLitecoin, ...inTrust("litecoin") })],
  ["LTC ltc1…", "LTC", many(() => segwit("ltc")), peers("ltc", { ...scureLitecoin, ...inTrust("litecoin") })],
  ["BCH CashAddr", "BCH", many(cashAddress), peers("bch", {
    "@bitauth/libauth": (address) => typeof decodeCashAddress(address) !== "string", ...inTrust("bitcoinCash"),
  })],
  ["ETH EIP-55", "ETH", many(ethereum), peers("eth", { ...evm, ...inTrust("ethereum") })],
  ["ETH lower case", "ETH", many(() => ethereum().toLowerCase()), peers("eth", { ...evm, ...inTrust("ethereum") })],
  ["TRX", "TRX", many(() => ofHash(0x41)), peers("trx", { tronweb: TronWeb.isAddress, ...inTrust("tron") })],
  ["XRP classic", "XRP", many(() => ripple.encodeAccountID(randomBytes(20))), peers("xrp", {
    "ripple-address-codec": ripple.isValidClassicAddress, ...inTrust("xrp"),
  })],
  ["XRP X-address", "XRP", many(() => ripple.encodeXAddress(randomBytes(20), randomBytes(4).readUInt32LE(), false)), peers("xrp", {
    "ripple-address-codec": ripple.isValidXAddress, ...inTrust("xrp"),
  })],
  ["XLM G…", "XLM", many(() => StrKey.encodeEd25519PublicKey(randomBytes(32))), peers("xlm", {
    "@stellar/stellar-base": (address) => StrKey.isValidEd25519PublicKey(address), ...inTrust("stellar"),
  })],
  ["XLM M…", "XLM", many(() => StrKey.encodeMed25519PublicKey(randomBytes(40))), peers("xlm", {
    "@stellar/stellar-base": (address) => StrKey.isValidMed25519PublicKey(address), ...inTrust("stellar"),
  })],
].map(([name, network, addresses, others]) => ({
  name,
  // Each network's own coin; on TRON only tokens are supported.
  asked: addresses.map((address) => ({ currency: network === "TRX" ? "USDT" : network, network, address })),
  addresses,
  others,
}));

/** Hostile input instead of an address. */
export const hostile = ["1", "z", "q", "bc1q", "0x"].flatMap((start) => [20_000, 1_000_000].map((length) => ({
  name: `${length.toLocaleString("en")} characters, ${start}${start.at(-1).repeat(3)}…`,
  text: start + start.at(-1).repeat(length - start.length),
  slow: length > 20_000,
})));

/** The old validator for a Bitcoin address. */
export const multicoin = (text) => multicoinAddressValidator.validate(text, "btc");
