// `cargo xtask bench npm`: nanoseconds of CPU time per call for each kind of address, compared with other
// packages; the best of several rounds in one run. The argument is the folder of the built package.

import { cpus } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { hostile, kinds, multicoin } from "./kinds.js";

const { isValid, validate } = await import(pathToFileURL(join(process.argv[2], "node.js")));

const ROUNDS = 7;
const TURN = 0.15;

// Seconds of CPU time, which other programs affect little.
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

// Valid addresses that we refuse, which are errors of ours.
const refused = [];

let next = 0;
// Repeats calls over all inputs for about `seconds`; returns calls per second.
function turn(call, inputs, seconds) {
  let calls = 0;
  const start = cpu();
  let end;
  do {
    for (let at = 0; at < 200; at += 1) {
      call(inputs[next]);
      next = (next + 1) % inputs.length;
    }
    calls += 200;
    end = cpu();
  } while (end - start < seconds);
  return calls / (end - start);
}

const k = (rate) => (rate === undefined ? "–" : rate >= 1e6 ? `${(rate / 1e6).toFixed(2)} M` : `${Math.round(rate / 1e3)} k`);

console.log(`Node ${process.version}, ${cpus()[0].model}\n`);
console.log("| kind | validate | isValid | multicoin | validate ÷ multicoin | isValid ÷ multicoin | fastest other | isValid ÷ fastest |");
console.log("|---|---|---|---|---|---|---|---|");

for (const { name, asked, addresses, others } of kinds) {
  const runners = [["validate", validate, asked], ["isValid", isValid, asked]];
  for (const request of asked) if (!validate(request).valid || !isValid(request)) refused.push(request.address);
  // Skips packages that refuse a valid address.
  for (const [peer, call] of Object.entries(others)) {
    if (addresses.slice(0, 100).every((address) => call(address) === true)) runners.push([peer, call, addresses]);
  }
  const best = new Map();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [runner, call, inputs] of runners) {
      const rate = turn(call, inputs, round === 0 ? TURN * 2 : TURN);
      if (round > 0) best.set(runner, Math.max(rate, best.get(runner) ?? 0));
    }
  }
  const [full, quick, old] = ["validate", "isValid", "multicoin-address-validator"].map((runner) => best.get(runner));
  const ratio = (rate, base) => (base === undefined ? "rejects it" : `${(rate / base).toFixed(1)} ×`);
  const rest = [...best].filter(([runner]) => !["validate", "isValid", "multicoin-address-validator"].includes(runner));
  const [fastest, rate] = rest.sort((a, b) => b[1] - a[1])[0] ?? [];
  console.log(`| ${[
    name, k(full), k(quick), k(old), ratio(full, old), ratio(quick, old), fastest ? `${k(rate)} ${fastest}` : "–",
    fastest ? ratio(quick, rate) : "–",
  ].join(" | ")} |`);
}

console.log("\n| hostile text | validate | multicoin |\n|---|---|---|");
for (const { name, text, slow } of hostile) {
  const asked = ["BTC", "BCH", "ETH", "XRP", "XLM"].map((code) => ({ currency: code, network: code, address: text }));
  const ours = 1e9 / Math.max(...[1, 2, 3].map(() => turn(validate, asked, TURN)));
  const start = cpu();
  if (!slow) multicoin(text);
  console.log(`| ${name} | ${Math.round(ours)} ns | ${slow ? "not measured" : `${Math.round((cpu() - start) * 1000)} ms`} |`);
}

for (const address of refused) console.log(`\nREFUSED, but right: ${address}`);
process.exitCode = refused.length > 0 ? 1 : 0;
