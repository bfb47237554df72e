// Serves this folder, and opens its page in Chromium.

import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { inChromium } from "./chromium.js";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".jsonl": "application/jsonl", ".wasm": "application/wasm",
};
// A strict policy: no eval, no inline script, no other origins.
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

const root = fileURLToPath(new URL(".", import.meta.url));
const packed = "/node_modules/@crypto-checkout/core";
const { exports } = JSON.parse(readFileSync(join(root, packed, "package.json"), "utf8"));
const entry = new URL(exports["."].default, `http://x${packed}/`).pathname;

await inChromium(`/page.html?entry=${encodeURIComponent(entry)}`, (path) => {
  const plain = path.startsWith("/plain/");
  const file = plain ? `${packed}/${path.slice("/plain/".length)}` : path;
  const type = plain ? "text/plain" : TYPES[extname(file)] ?? "application/octet-stream";
  return { headers: { "content-type": type, "content-security-policy": POLICY }, content: readFileSync(join(root, file)) };
});
