// Serves the pages that Vite built, and a script like a gateway's, to Chromium.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { extname } from "node:path";

import { inChromium } from "./chromium.js";

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript" };
const ELEMENT = "customElements.get('crypto-checkout') || customElements.define('crypto-checkout', class extends HTMLElement {});";
const script = { headers: { "content-type": "text/javascript", "access-control-allow-origin": "*" } };
let calls = 0;

/** What is served at each path that is no file of the bundle. */
const ANSWERS = {
  "/embed.js": () => ({ ...script, content: ELEMENT }),
  "/other/embed.js": () => ({ ...script, content: "console.log('not the checkout');" }),
  "/flaky/embed.js": () => ((calls += 1) > 1 ? { ...script, content: ELEMENT } : undefined),
};

function answer(path) {
  if (ANSWERS[path]) return ANSWERS[path]();
  const strict = path.startsWith("/strict/");
  const file = strict ? path.slice("/strict".length) : path;
  const headers = { "content-type": TYPES[extname(file)] ?? "application/octet-stream" };
  if (strict) headers["content-security-policy"] = "default-src 'none'; script-src 'self'";
  return { headers, content: readFileSync(new URL(`./dist${file}`, import.meta.url)) };
}

const integrity = `sha384-${createHash("sha384").update(ELEMENT).digest("base64")}`;
await inChromium(`/page.html?integrity=${encodeURIComponent(integrity)}`, answer);
