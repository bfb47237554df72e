// Asks every peer every question of a file (`cargo run --example questions`). Fails on an answer that differs
// from the core's and is not a listed difference. Ends with `# pass` and `# fail`.

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

import { differences } from "./differences.js";
import { peers } from "./peers.js";

const SHOWN = 10;

const agrees = (ours, theirs) =>
  ours.reason !== null
    ? theirs === null
    : theirs !== null &&
      theirs.kind === ours.kind &&
      theirs.payload === ours.payload &&
      (theirs.tag ?? null) === ours.tag &&
      (theirs.normal ?? ours.normal) === ours.normal;

const questions = new Map();
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  const question = JSON.parse(line);
  if (!questions.has(question.network)) questions.set(question.network, []);
  questions.get(question.network).push(question);
}

let [passed, failed] = [0, 0];
for (const peer of peers) {
  const asked = questions.get(peer.network) ?? [];
  const accepted = asked.filter((ours) => ours.reason === null).length;
  const listed = differences.filter((row) => row.peer === peer.name && row.network === peer.network);
  const seen = new Map(listed.map((row) => [row, 0]));
  const faults = [];
  if (accepted < 500) faults.push(`only ${accepted} addresses are valid: the file is truncated`);
  for (const ours of asked) {
    const theirs = peer.ask(ours.address);
    if (agrees(ours, theirs)) continue;
    const row = listed.find((row) => row.is(ours, theirs));
    if (row) seen.set(row, seen.get(row) + 1);
    else faults.push(`${JSON.stringify(ours)} but found ${JSON.stringify(theirs)}`);
  }
  console.log(`${peer.name} on ${peer.network}: ${asked.length} questions, ${accepted} accepted`);
  for (const [row, count] of seen) {
    console.log(`${String(count).padStart(8)} ${row.why}`);
    if (count === 0) faults.push(`stale: ${row.why}`);
  }
  for (const fault of faults.slice(0, SHOWN)) console.log(`    ${fault}`);
  if (faults.length > SHOWN) console.log(`    and ${faults.length - SHOWN} more`);
  if (faults.length === 0) passed += 1;
  else failed += 1;
}
console.log(`# pass ${passed}\n# fail ${failed}`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
