// `xrpl`, the official package of the XRP Ledger.

import assert from "node:assert/strict";
import { WebSocketServer } from "ws";
import xrpl from "xrpl";

const wallet = xrpl.Wallet.fromSeed("snoPBrXtMeMyMHUVTgbuqAfg1SUTb");
export const ACCOUNT = wallet.classicAddress;

export function sign(payment) {
  const wallet = xrpl.Wallet.fromSeed(payment.seed);
  const transaction = {
    TransactionType: "Payment",
    Account: wallet.classicAddress,
    Destination: xrpl.encodeAccountID(Buffer.from(payment.destination, "hex")),
    Amount: payment.amount,
    Fee: payment.fee,
    Sequence: payment.sequence,
    LastLedgerSequence: payment.lastLedger,
    ...(payment.tag === null ? {} : { DestinationTag: payment.tag }),
    ...(payment.network === 0 ? {} : { NetworkID: payment.network }),
  };
  const { tx_blob: bytes, hash } = wallet.sign(transaction);
  return { account: wallet.classicAddress, bytes, hash };
}

// The package uses WebSocket, whose messages wrap rippled's JSON-RPC in another envelope.
function bridge(url) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", (socket) =>
    socket.on("message", async (text) => {
      const { id, command, ...parameters } = JSON.parse(text);
      const body = JSON.stringify({ method: command, params: [parameters] });
      const { result } = await (await fetch(url, { method: "POST", body })).json();
      const { status, ...rest } = result;
      const answer = status === "success" ? { result: rest } : rest;
      socket.send(JSON.stringify({ id, status, type: "response", ...answer }));
    }),
  );
  return server;
}

export async function use(url) {
  const server = bridge(url);
  await new Promise((done) => server.once("listening", done));
  const client = new xrpl.Client(`ws://127.0.0.1:${server.address().port}`);
  await client.connect();
  try {
    const to = xrpl.Wallet.generate().classicAddress;
    const before = Number(await client.getXrpBalance(ACCOUNT));
    const transaction = { TransactionType: "Payment", Account: ACCOUNT, Destination: to, DestinationTag: 495, Amount: "25000000" };
    const { result } = await client.submitAndWait(transaction, { wallet });
    assert.equal(result.validated, true);
    assert.equal(result.meta.TransactionResult, "tesSUCCESS");
    assert.equal(result.meta.delivered_amount, "25000000");
    assert.equal(await client.getXrpBalance(to), 25);
    // The package pays a fifth more than the minimum fee of 10 drops.
    assert.equal(Number(await client.getXrpBalance(ACCOUNT)).toFixed(6), (before - 25.000012).toFixed(6));
    const listed = await client.request({ command: "account_tx", account: to, ledger_index_min: -1, ledger_index_max: -1 });
    assert.equal(listed.result.transactions.length, 1);
    await assert.rejects(client.request({ command: "account_info", account: xrpl.Wallet.generate().classicAddress }), /Account not found/);
    await assert.rejects(client.request({ command: "tx", transaction: "00".repeat(32) }), /Transaction not found/);
  } finally {
    await client.disconnect();
    server.close();
  }
}
