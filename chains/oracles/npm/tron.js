// `tronweb`, the official package of TRON.

import assert from "node:assert/strict";
import { TronWeb, utils } from "tronweb";

const SECRET = "07".repeat(32);
const USDT = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
export const ACCOUNT = TronWeb.address.toHex(TronWeb.address.fromPrivateKey(SECRET));

// A field of protocol buffers with bytes.
function field(number, hex) {
  const bytes = [(number << 3) | 2];
  let length = hex.length / 2;
  for (; length > 0x7f; length >>>= 7) bytes.push((length & 0x7f) | 0x80);
  bytes.push(length);
  return Buffer.from(bytes).toString("hex") + hex;
}

export function sign({ secret, kind, value, blockNumber, blockId, timestamp, expiration }) {
  const account = TronWeb.address.fromPrivateKey(secret);
  const owner_address = TronWeb.address.toHex(account);
  const header = {
    ref_block_bytes: blockNumber.toString(16).slice(-4).padStart(4, "0"),
    ref_block_hash: blockId.slice(16, 32),
    timestamp,
    expiration,
  };
  const call = { owner_address, contract_address: value.contract_address, data: value.data };
  const transfer = { owner_address, to_address: value.to_address, amount: Number(value.amount) };
  const contract = {
    parameter: { value: kind === "TransferContract" ? transfer : call, type_url: `type.googleapis.com/protocol.${kind}` },
    type: kind,
  };
  if (kind === "TriggerSmartContract") {
    const encoded = utils.abi.encodeParamsV2ByABI(TRANSFER, [value.to, value.amount]).replace(/^0x/, "");
    assert.equal(value.data, `a9059cbb${encoded}`);
  }
  const limit = value.fee_limit ? { fee_limit: value.fee_limit } : {};
  const transaction = { visible: false, txID: "", raw_data_hex: "", raw_data: { contract: [contract], ...header, ...limit } };
  const message = utils.transaction.txJsonToPb(transaction);
  const id = utils.transaction.txPbToTxID(message).replace(/^0x/, "");
  const raw = utils.transaction.txPbToRawDataHex(message).toLowerCase();
  const { hexStr2byteArray } = utils.code;
  const signature = utils.crypto.ECKeySign(hexStr2byteArray(id), hexStr2byteArray(secret)).toLowerCase();
  return { account, id, bytes: field(1, raw) + field(2, signature) };
}

const TRANSFER = {
  name: "transfer",
  type: "function",
  inputs: [{ name: "to", type: "address" }, { name: "value", type: "uint256" }],
  outputs: [{ name: "", type: "bool" }],
};

// The transfer with more in it.
function altered(bytes) {
  const whole = /5aae01(.{348})/;
  return {
    "a memo": `${bytes}520141`,
    "a memo before": bytes.replace("5aae01", "5201415aae01"),
    "another permission": bytes.replace(whole, "5ab001$12802"),
    "two contracts": bytes.replace(whole, "$&$&"),
    "TRX with it": bytes.replace("5aae01081f12a901", "5ab001081f12ab01").replace("12740a15", "12760a15").replace("2244a9059cbb", "18012244a9059cbb"),
    "the expiration twice": bytes.replace("5aae01", "40015aae01"),
    "the limit twice": `${bytes}900101`,
    "another letter case": bytes.toUpperCase(),
    "another line": `${bytes}\n`,
    "half of it": bytes.slice(0, bytes.length / 2),
    "nothing": "",
  };
}

// `read` makes the transaction for a wallet from bytes alone.
export async function handed(read) {
  const tron = new TronWeb({ fullHost: "http://127.0.0.1:1", privateKey: SECRET });
  const owner = tron.defaultAddress.base58;
  const { address: to } = await tron.createAccount();
  for (const value of ["1", "25000000", "340282366920938463463374607431768211455"]) {
    for (const expiration of [1_790_000_900_000, 2_199_023_255_552, 4_000_000_000_000]) {
      const blockHeader = { ref_block_bytes: "e942", ref_block_hash: "6394747da9fee421", expiration, timestamp: expiration - 899_997 };
      const options = { feeLimit: 50_000_000, txLocal: true, blockHeader };
      const parameters = [{ type: "address", value: to.base58 }, { type: "uint256", value }];
      const made = await tron.transactionBuilder.triggerSmartContract(USDT, "transfer(address,uint256)", options, parameters, owner);
      const { transaction } = made;
      const call = { account: owner, contract: USDT, data: `0x${transaction.raw_data.contract[0].parameter.value.data}` };
      const own = await read(transaction.raw_data_hex, call);
      assert.deepEqual(own, transaction);
      const { signature } = await tron.trx.sign(own);
      assert.deepEqual(signature, (await tron.trx.sign(transaction)).signature);
      assert.equal(await read(transaction.raw_data_hex, { ...call, account: to.base58 }), undefined);
      for (const [name, bytes] of Object.entries(altered(transaction.raw_data_hex))) {
        assert.notEqual(bytes, transaction.raw_data_hex, name);
        assert.equal(await read(bytes, call), undefined, name);
      }
      assert.equal(await read(transaction.raw_data_hex, { ...call, data: call.data.replace("a9059cbb", "095ea7b3") }), undefined);
    }
  }
  const sent = await tron.transactionBuilder.sendTrx(to.base58, 1, owner, { blockHeader: { ref_block_bytes: "e942", ref_block_hash: "6394747da9fee421", expiration: 2, timestamp: 1 } });
  assert.equal(await read(sent.raw_data_hex, { account: owner, contract: to.base58, data: "0x" }), undefined);
}

export async function use(url) {
  const tron = new TronWeb({ fullHost: url, privateKey: SECRET });
  const owner = tron.defaultAddress.base58;
  const [newest, solid] = [await tron.trx.getCurrentBlock(), await tron.trx.getConfirmedCurrentBlock()];
  assert(newest.block_header.raw_data.number >= solid.block_header.raw_data.number);
  const { address: to } = await tron.createAccount();

  // A token, by a transaction that the package makes, signs and sends.
  const options = { feeLimit: 20_000_000, txLocal: true };
  const parameters = [{ type: "address", value: to.base58 }, { type: "uint256", value: 25_000_000 }];
  const { transaction } = await tron.transactionBuilder.triggerSmartContract(USDT, "transfer(address,uint256)", options, parameters, owner);
  const sent = await tron.trx.sendRawTransaction(await tron.trx.sign(transaction));
  assert.equal(sent.result, true, JSON.stringify(sent));
  const info = await included(tron, sent.txid);
  assert.equal(info.receipt.result, "SUCCESS");
  assert.equal(info.log.length, 1);
  const balance = [{ type: "address", value: to.base58 }];
  const { constant_result: result } = await tron.transactionBuilder.triggerConstantContract(USDT, "balanceOf(address)", {}, balance, owner);
  assert.equal(BigInt(`0x${result[0]}`), 25_000_000n);

  // TRX, and the same transaction twice.
  const coins = await tron.trx.sign(await tron.transactionBuilder.sendTrx(to.base58, 3_000_000, owner));
  assert.equal((await tron.trx.sendRawTransaction(coins)).result, true);
  assert.equal((await tron.trx.sendRawTransaction(coins)).code, "DUP_TRANSACTION_ERROR");
  await included(tron, coins.txID);
  assert.equal(await tron.trx.getBalance(to.base58), 3_000_000);

  // Another's signature.
  const foreign = await tron.transactionBuilder.sendTrx(owner, 1, to.base58);
  const forged = { ...foreign, signature: coins.signature };
  assert.equal((await tron.trx.sendRawTransaction(forged)).code, "SIGERROR");
}

async function included(tron, id) {
  for (let tries = 0; tries < 40; tries += 1) {
    const info = await tron.trx.getTransactionInfo(id);
    if (info.id) return info;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${id} is in no block`);
}
