// The peers: the result of each for a text, or null if it refuses.

import {
  CashAddressType,
  decodeCashAddress,
  decodeCashAddressFormatWithoutPrefix,
  encodeCashAddress,
} from "@bitauth/libauth";
import * as cardano from "@emurgo/cardano-serialization-lib-nodejs";
import { decodeAddress, encodeAddress } from "@polkadot/util-crypto";
import { AccountAddress } from "@aptos-labs/ts-sdk";
import { fromBech32, toBech32 } from "@cosmjs/encoding";
import { isValidSuiAddress, normalizeSuiAddress } from "@mysten/sui/utils";
import { Address } from "@scure/btc-signer";
import { assertIsAddress, getAddressEncoder } from "@solana/addresses";
import ton from "@ton/core";
import * as ripple from "ripple-address-codec";
import { TronWeb } from "tronweb";

const hex = (bytes) => Buffer.from(bytes).toString("hex");

const tries = (ask) => (text) => {
  try {
    return ask(text);
  } catch {
    return null;
  }
};

const scureKinds = { pkh: "p2pkh", sh: "p2sh", wpkh: "p2wpkh", wsh: "p2wsh", tr: "p2tr" };

function scure(network) {
  const address = Address(network);
  return tries((text) => {
    const decoded = address.decode(text);
    return { kind: scureKinds[decoded.type] ?? decoded.type, payload: hex(decoded.hash ?? decoded.pubkey), normal: address.encode(decoded) };
  });
}

const bitcoin = scure({ bech32: "bc", pubKeyHash: 0x00, scriptHash: 0x05, wif: 0x80 });
const litecoin = scure({ bech32: "ltc", pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 });

const libauthKinds = {
  [CashAddressType.p2pkh]: "p2pkh",
  [CashAddressType.p2sh]: "p2sh",
  [CashAddressType.p2pkhWithTokens]: "token_p2pkh",
  [CashAddressType.p2shWithTokens]: "token_p2sh",
};

function libauth(text) {
  let whole = text;
  if (!text.includes(":")) {
    const decoded = decodeCashAddressFormatWithoutPrefix(text);
    if (typeof decoded === "string") return null;
    whole = `${decoded.prefix}:${text}`;
  }
  const decoded = decodeCashAddress(whole);
  if (typeof decoded === "string" || decoded.prefix !== "bitcoincash") return null;
  const { payload, prefix, type } = decoded;
  const kind = payload.length === 32 ? `${libauthKinds[type]}32` : libauthKinds[type];
  return { kind, payload: hex(payload), normal: encodeCashAddress({ payload, prefix, type }).address };
}

function rippleAddress(text) {
  if (ripple.isValidXAddress(text)) {
    const { accountId, tag, test } = ripple.decodeXAddress(text);
    return test ? null : { kind: "x_address", payload: hex(accountId), tag: tag === false ? null : String(tag) };
  }
  if (!ripple.isValidClassicAddress(text)) return null;
  return { kind: "classic", payload: hex(ripple.decodeAccountID(text)), normal: text };
}

function tron(text) {
  if (!TronWeb.isAddress(text)) return null;
  const payload = TronWeb.address.toHex(text);
  return { kind: "account", payload: payload.slice(2), normal: TronWeb.address.fromHex(payload) };
}

// 32 bytes with the prefix 0.
function polkadot(text) {
  const payload = decodeAddress(text, false, 0);
  return payload.length === 32 && encodeAddress(payload, 0) === text ? { kind: "account", payload: hex(payload), normal: text } : null;
}

// Of the main network, without the header of an address of today.
function shelley(text) {
  const address = cardano.Address.from_bech32(text);
  if (address.network_id() !== 1 || address.kind() > 2 || !/^addr1/i.test(text)) return null;
  return { kind: "shelley", payload: hex(address.to_bytes().slice(1)), normal: address.to_bech32() };
}

// The root, and the path if there is one.
function byron(text) {
  const address = cardano.ByronAddress.from_base58(text);
  if (address.network_id() !== 1 || address.to_base58() !== text) return null;
  const root = /^82d818584?..?83581c(.{56})/.exec(hex(address.to_bytes()))[1];
  const path = address.attributes().length > 2 ? hex(address.attributes()).replace(/^a101581e581c/, "") : "";
  return { kind: "byron", payload: root + path, normal: text };
}

const cardanoAddress = (text) => tries(shelley)(text) ?? tries(byron)(text);
function solana(text) {
  assertIsAddress(text);
  return { kind: "account", payload: hex(getAddressEncoder().encode(text)), normal: text };
}

function cosmos(text) {
  const { prefix, data } = fromBech32(text, 90);
  if (prefix !== "cosmos" || ![20, 32].includes(data.length)) return null;
  return { kind: "account", payload: hex(data), normal: toBech32(prefix, data) };
}

function friendly(text) {
  if (!ton.Address.isFriendly(text)) return null;
  const { address, isBounceable: bounceable, isTestOnly } = ton.Address.parseFriendly(text);
  if (isTestOnly) return null;
  const payload = hex([address.workChain & 255, ...address.hash]);
  return { kind: bounceable ? "account" : "non_bounceable", payload, normal: address.toString({ bounceable }) };
}

function sui(text) {
  if (!isValidSuiAddress(text)) return null;
  const normal = normalizeSuiAddress(text);
  return { kind: "account", payload: normal.slice(2), normal };
}

function aptos(text) {
  const normal = AccountAddress.fromStringStrict(text).toStringLong();
  return { kind: "account", payload: normal.slice(2), normal };
}

export const peers = [
  { name: "@scure/btc-signer 2.4.1", network: "BTC", ask: bitcoin },
  { name: "@scure/btc-signer 2.4.1", network: "LTC", ask: litecoin },
  { name: "@bitauth/libauth 3.0.0", network: "BCH", ask: tries(libauth) },
  { name: "ripple-address-codec 5.0.1", network: "XRP", ask: tries(rippleAddress) },
  { name: "tronweb 6.5.1", network: "TRX", ask: tries(tron) },
  { name: "@polkadot/util-crypto 14.0.3", network: "DOT", ask: tries(polkadot) },
  { name: "@emurgo/cardano-serialization-lib-nodejs 15.0.3", network: "ADA", ask: cardanoAddress },
  { name: "@solana/addresses 8.4.0", network: "SOL", ask: tries(solana) },
  { name: "@cosmjs/encoding 0.39.0", network: "ATOM", ask: tries(cosmos) },
  { name: "@ton/core 0.63.1", network: "TON", ask: tries(friendly) },
  { name: "@mysten/sui 1.45.2", network: "SUI", ask: tries(sui) },
  { name: "@aptos-labs/ts-sdk 6.3.1", network: "APT", ask: tries(aptos) },
];
