// The transaction that a wallet on TRON signs, read from the bytes that the gateway wrote: SHA-256 of these bytes is signed, whatever
// stands beside them. https://github.com/tronprotocol/protocol/blob/master/core/Tron.proto

/** As `tronWeb.trx.sign` takes it: https://github.com/tronprotocol/tronweb/blob/master/src/types/Transaction.ts */
export interface Transaction {
  visible: false;
  txID: string;
  raw_data: {
    contract: [{ type: string; parameter: { type_url: string; value: Record<string, string> } }];
    ref_block_bytes: string;
    ref_block_hash: string;
    expiration: number;
    timestamp: number;
    fee_limit: number;
  };
  raw_data_hex: string;
}

/** What the transaction has to do. Accounts are `T…`, `data` is `0x…`. */
export interface Call {
  account: string;
  contract: string;
  data: string;
}

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** An account in hexadecimal digits, with its version and without its checksum; nothing for another text. */
export const hexOf = (account: string): string | undefined => {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(account)) return undefined;
  const number = [...account].reduce((sum, digit) => sum * 58n + BigInt(ALPHABET.indexOf(digit)), 0n);
  const digits = number.toString(16);
  return digits.length === 50 ? digits.slice(0, 42) : undefined;
};

const TYPE = "TriggerSmartContract";
const TYPE_URL = `type.googleapis.com/protocol.${TYPE}`;
const hexOfText = (text: string): string =>
  [...text].map((letter) => letter.charCodeAt(0).toString(16)).join("");

const NUMBER = "((?:[89a-f][0-9a-f])*[0-7][0-9a-f])";

/** Seven bits in each byte, the lowest first. */
const number = (varint: string): number =>
  (varint.match(/../g) ?? []).reduceRight((sum, byte) => sum * 128 + (parseInt(byte, 16) & 127), 0);

/** Nothing unless the bytes make exactly this call, without TRX, and do nothing else. */
export const read = async (bytes: string, call: Call): Promise<Transaction | undefined> => {
  const [owner_address, contract_address] = [hexOf(call.account), hexOf(call.contract)];
  const data = /^0x([0-9a-f]{136})$/.exec(call.data)?.[1];
  if (!owner_address || !contract_address || !data) return undefined;
  const value = `0a15${owner_address}1215${contract_address}2244${data}`;
  const contract = `5aae01081f12a9010a31${hexOfText(TYPE_URL)}1274${value}`;
  const form = `^0a02([0-9a-f]{4})2208([0-9a-f]{16})40${NUMBER}${contract}70${NUMBER}9001${NUMBER}$`;
  const [, ref_block_bytes, ref_block_hash, expiration, timestamp, fee_limit] = new RegExp(form).exec(bytes) ?? [];
  if (!ref_block_bytes || !ref_block_hash || !expiration || !timestamp || !fee_limit) return undefined;
  return {
    visible: false,
    txID: await sha256(bytes),
    raw_data: {
      contract: [{ type: TYPE, parameter: { type_url: TYPE_URL, value: { data, owner_address, contract_address } } }],
      ref_block_bytes,
      ref_block_hash,
      expiration: number(expiration),
      timestamp: number(timestamp),
      fee_limit: number(fee_limit),
    },
    raw_data_hex: bytes,
  };
};

const sha256 = async (digits: string): Promise<string> => {
  const bytes = Uint8Array.from(digits.match(/../g) ?? [], (byte) => parseInt(byte, 16));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
