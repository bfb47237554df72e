// `@stellar/stellar-sdk`, the official package of Stellar.

import assert from "node:assert/strict";
import { Account, Asset, Horizon, Keypair, Memo, MuxedAccount, Networks, Operation, TransactionBuilder } from "@stellar/stellar-sdk";

const keypair = Keypair.fromSecret("SAAZIQLXORXE4VVQ5CHS4BU2LTVOWYWLATOZAHDFPGIRDL6A4RNONRS3");
export const ACCOUNT = keypair.publicKey();

const xlm = (stroops) => `${stroops / 10_000_000n}.${String(stroops % 10_000_000n).padStart(7, "0")}`;

function memo(memo) {
  if (memo?.id) return Memo.id(memo.id);
  return memo?.text ? Memo.text(memo.text) : Memo.none();
}

export function sign(payment) {
  const keypair = Keypair.fromSecret(payment.seed);
  const source = new Account(keypair.publicKey(), String(BigInt(payment.sequence) - 1n));
  const amount = xlm(BigInt(payment.amount));
  const muxed = payment.muxedId && !payment.creates;
  const destination = muxed ? new MuxedAccount(new Account(payment.destination, "0"), payment.muxedId).accountId() : payment.destination;
  const operation = payment.creates
    ? Operation.createAccount({ destination, startingBalance: amount })
    : Operation.payment({ destination, asset: Asset.native(), amount });
  const timebounds = { minTime: 0, maxTime: payment.maxTime };
  const options = { fee: payment.fee, networkPassphrase: payment.network, timebounds, memo: memo(payment.memo) };
  const transaction = new TransactionBuilder(source, options).addOperation(operation).build();
  transaction.sign(keypair);
  return { account: keypair.publicKey(), bytes: transaction.toEnvelope().toXDR("base64"), hash: transaction.hash().toString("hex") };
}

export async function use(url) {
  const server = new Horizon.Server(url, { allowHttp: true });
  const [ledger] = (await server.ledgers().order("desc").limit(1).call()).records;
  const stats = await server.feeStats();
  const to = Keypair.random().publicKey();
  const source = await server.loadAccount(ACCOUNT);
  const maxTime = Date.parse(ledger.closed_at) / 1000 + 180;
  const options = { fee: stats.fee_charged.p95, networkPassphrase: Networks.PUBLIC, timebounds: { minTime: 0, maxTime }, memo: Memo.id("495") };
  const operation = Operation.createAccount({ destination: to, startingBalance: "2.5" });
  const transaction = new TransactionBuilder(source, options).addOperation(operation).build();
  transaction.sign(keypair);
  const { tx_status: status, hash } = await server.submitAsyncTransaction(transaction);
  assert.equal(status, "PENDING");
  const find = () => server.transactions().transaction(hash).call();
  for (let tries = 0; tries < 40; tries += 1) {
    if (await find().catch(() => null)) break;
    await new Promise((done) => setTimeout(done, 100));
  }
  const found = await find();
  assert.equal(found.successful, true);
  assert.equal(found.memo, "495");
  const created = await server.loadAccount(to);
  assert.equal(created.balances[0].balance, "2.5000000");
  const { records } = await server.payments().forAccount(to).join("transactions").order("asc").call();
  assert.deepEqual(records.map((record) => [record.type, record.account, record.starting_balance]), [["create_account", to, "2.5000000"]]);
  await assert.rejects(server.loadAccount(Keypair.random().publicKey()), /Not Found/);
}
