// Compares the adapters' signatures with the official packages, and runs these packages as clients of the
// adapters' test servers. Usage: node ask.js SIGNED.jsonl SERVE PAGE, where SERVE is the program `serve` of
// checkout-chain-doubles, and PAGE the module `www/wallet/tron_bytes.ts`. Ends with `# pass` and `# fail`.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

import * as stellar from "./stellar.js";
import * as tron from "./tron.js";
import * as xrp from "./xrp.js";

const [signed, serve, page] = process.argv.slice(2);
let [passed, failed] = [0, 0];

async function check(name, test) {
  try {
    await test();
    passed += 1;
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED  ${name}: ${error.stack ?? error}`);
  }
}

const lines = { XRP: [], XLM: [], TRX: [] };
for await (const line of createInterface({ input: createReadStream(signed) })) {
  const payment = JSON.parse(line);
  lines[payment.chain].push(payment);
}

function compare(all, sign) {
  assert(all.length >= 300, `only ${all.length} payments: the file is truncated`);
  for (const payment of all) {
    const signed = sign(payment);
    for (const [name, value] of Object.entries(signed)) assert.equal(payment[name], value, `${name} of ${JSON.stringify(payment)}`);
  }
}

await check(`xrpl signs ${lines.XRP.length} payments alike`, () => compare(lines.XRP, xrp.sign));
await check(`stellar-sdk signs ${lines.XLM.length} payments alike`, () => compare(lines.XLM, stellar.sign));
await check(`tronweb signs ${lines.TRX.length} transactions alike`, () => compare(lines.TRX, tron.sign));

const { read } = await import(page);
await check("tronweb makes and signs the transaction that the page reads from its bytes", () => tron.handed(read));

const accounts = [`account=XRP ${xrp.ACCOUNT}`, `account=XLM ${stellar.ACCOUNT}`, `account=TRX ${tron.ACCOUNT}`];
const servers = spawn(serve, accounts, { stdio: ["pipe", "pipe", "inherit"] });
const [first] = await new Promise((done) => createInterface({ input: servers.stdout }).once("line", (line) => done([line])));
const { rippled, horizon, trongrid } = JSON.parse(first);
await check("xrpl works with the test server for rippled", () => xrp.use(rippled));
await check("stellar-sdk works with the test server for Horizon", () => stellar.use(horizon));
await check("tronweb works with the test server for TronGrid", () => tron.use(trongrid));
servers.stdin.end();

console.log(`# pass ${passed}\n# fail ${failed}`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
