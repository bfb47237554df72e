// Serves a page to the browser set by CHECKOUT_CHROMIUM, and prints the results that the page sends to /results.

import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SECONDS = 120;
const chromium = process.env.CHECKOUT_CHROMIUM || "chromium";

/** `answer` returns `{ headers, content }` of a path; if it throws or returns nothing, the path is missing. */
export async function inChromium(page, answer) {
  let finish;
  const results = new Promise((resolve) => { finish = resolve; });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://x");
    if (request.method === "POST" && pathname === "/results") {
      let body = "";
      request.setEncoding("utf8").on("data", (part) => { body += part; }).on("end", () => {
        response.end();
        finish(JSON.parse(body));
      });
      return;
    }
    try {
      const { headers, content } = answer(pathname);
      response.writeHead(200, headers).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });

  const profile = mkdtempSync(join(tmpdir(), "checkout-npm-"));
  let browser;
  try {
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${server.address().port}${page}`;
    const asRoot = process.getuid?.() === 0;
    browser = spawn(chromium, [
      "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--no-default-browser-check",
      ...(asRoot ? ["--no-sandbox"] : []), `--user-data-dir=${profile}`, url,
    ], { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    browser.stderr.setEncoding("utf8").on("data", (part) => { said = (said + part).slice(-4000); });
    const ended = new Promise((resolve) => {
      browser.once("error", (error) => resolve({ fault: `${chromium}: ${error.message}` }));
      browser.once("exit", (code) => resolve({ fault: `the browser exited with code ${code}:\n${said}` }));
      setTimeout(() => resolve({ fault: `no result from the page in ${SECONDS} s:\n${said}` }), SECONDS * 1000).unref();
    });
    report(await Promise.race([results, ended]));
  } finally {
    if (browser?.exitCode === null) {
      const gone = new Promise((resolve) => { browser.once("exit", resolve); });
      browser.kill();
      await gone;
    }
    server.closeAllConnections();
    server.close();
    // The browser's processes write for a moment after it has exited.
    await rm(profile, { recursive: true, force: true, maxRetries: 30, retryDelay: 100 });
  }
}

function report({ fault, agent, results: found = [{ name: "the page", error: fault }] }) {
  if (agent) console.log(agent);
  for (const { name, error } of found) console.log(error ? `FAILED ${name}\n    ${error}` : `ok     ${name}`);
  const failed = found.filter(({ error }) => error).length;
  console.log(`# pass ${found.length - failed}\n# fail ${failed}`);
  process.exitCode = failed === 0 ? 0 : 1;
}
