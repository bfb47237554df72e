// The peers: the result of each for a text, or null if it refuses.

import {
  CashAddressType,
  decodeCashAddress,
  decodeCashAddressFormatWithoutPrefix,
  encodeCashAddress,
} from "@bitauth/libauth";
import { Address } from "@scure/btc-signer";
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

export const peers = [
  { name: "@scure/btc-signer 2.4.1", network: "BTC", ask: bitcoin },
  { name: "@scure/btc-signer 2.4.1", network: "LTC", ask: litecoin },
  { name: "@bitauth/libauth 3.0.0", network: "BCH", ask: tries(libauth) },
  { name: "ripple-address-codec 5.0.1", network: "XRP", ask: tries(rippleAddress) },
  { name: "tronweb 6.5.1", network: "TRX", ask: tries(tron) },
];
