// Writes contracts.json: the creation code of each contract. Run it where solc 0.8.37 is installed by npm:
//   npm install solc@0.8.37 && node chains/evm/tests/contracts/compile.mjs
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const solc = createRequire(join(process.cwd(), "package.json"))("solc");
const folder = dirname(fileURLToPath(import.meta.url));
const sources = Object.fromEntries(
  ["Token.sol", "Forwarder.sol"].map((name) => [name, { content: readFileSync(join(folder, name), "utf8") }]),
);
const settings = {
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: "none" },
  outputSelection: { "*": { "*": ["evm.bytecode.object"] } },
};
const output = JSON.parse(solc.compile(JSON.stringify({ language: "Solidity", sources, settings })));
const faults = (output.errors ?? []).filter((error) => error.severity === "error");
if (faults.length > 0) {
  throw new Error(faults.map((fault) => fault.formattedMessage).join("\n"));
}
const contracts = Object.values(output.contracts).flatMap((file) => Object.entries(file));
const codes = Object.fromEntries(contracts.map(([name, contract]) => [name, `0x${contract.evm.bytecode.object}`]));
writeFileSync(join(folder, "contracts.json"), `${JSON.stringify(codes, null, 2)}\n`);
