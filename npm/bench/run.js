// Measures the built npm package beside other validators:
//
//     cargo xtask npm && node npm/bench/run.js
//
// The others are installed once into the user's cache folder. A first argument names another folder than target/npm.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const ours = resolve(process.argv[2] ?? join(here, "../../target/npm"));
if (!existsSync(join(ours, "core.wasm"))) {
  console.error(`There is no package in ${ours}. \`cargo xtask npm\` makes it.`);
  process.exit(1);
}

const manifest = readFileSync(join(here, "package.json"));
const hash = createHash("sha256").update(manifest).digest("hex").slice(0, 12);
const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
const folder = join(cache, "crypto-checkout", "npm-bench", hash);
if (!existsSync(folder)) {
  console.error(`installing the other validators into ${folder}`);
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  cpSync(join(here, "package.json"), join(partial, "package.json"));
  run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], partial);
  renameSync(partial, folder);
}
// Beside what was installed, so that its imports are found.
for (const name of ["bench.js", "kinds.js"]) cpSync(join(here, name), join(folder, name));
run(process.execPath, ["bench.js", ours], folder);

function run(program, words, cwd) {
  const { error, status } = spawnSync(program, words, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  if (error) console.error(`${program}: ${error.message}`);
  if (error || status !== 0) process.exit(status || 1);
}
