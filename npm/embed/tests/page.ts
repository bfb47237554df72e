// Runs each case in a frame, and sends the results to the server.

// The gateway is another origin than the page.
const GATEWAY = `http://localhost:${location.port}`;
const EMBED = `${GATEWAY}/embed.js`;
const INTEGRITY = new URLSearchParams(location.search).get("integrity") ?? "";

interface Case {
  name: string;
  run: string;
  /** The folder of the page; `strict` has a Content-Security-Policy. */
  at?: string;
  script?: string;
  integrity?: string;
  expected: unknown;
}

const failed = "could not be loaded: the address is wrong, the network failed, or it does not match its integrity.";
const missing = `${GATEWAY}/missing/embed.js`;
const cases: Case[] = [
  { name: "calls at the same time share one tag", run: "once", expected: [[true, true], true, 1] },
  { name: "a tag of the page is used", run: "tag", expected: [true, 1] },
  { name: "an element that is defined already needs no tag", run: "defined", expected: [true, 0] },
  { name: "a missing script is an error", run: "fails", script: missing, expected: `failed: ${missing} ${failed}` },
  {
    name: "a gateway that cannot be reached is an error", run: "fails", script: "http://localhost:9/embed.js",
    expected: `failed: http://localhost:9/embed.js ${failed}`,
  },
  {
    name: "another script is an error", run: "fails", script: `${GATEWAY}/other/embed.js`,
    expected: `other-script: ${GATEWAY}/other/embed.js was loaded, but does not define <crypto-checkout>.`,
  },
  {
    name: "a script that is not one is an error", run: "fails", script: "javascript:alert(1)",
    expected: "invalid-url: javascript:alert(1) is not the URL of the checkout's script, such as https://pay.example/embed.js.",
  },
  {
    name: "a policy that blocks the script has a name, and the remedy", run: "fails", at: "strict",
    expected: `blocked: ${EMBED} is blocked by the page's Content-Security-Policy. Allow it: script-src ${GATEWAY}`,
  },
  { name: "a script that matches its integrity is loaded", run: "integrity", integrity: INTEGRITY, expected: "class" },
  {
    name: "a script that does not is not", run: "integrity", integrity: `sha384-${"A".repeat(64)}`,
    expected: `failed: ${EMBED} ${failed}`,
  },
  { name: "the next call tries again", run: "again", script: `${GATEWAY}/flaky/embed.js`, expected: ["failed", true, 2] },
  { name: "the example for React pays", run: "react", expected: ["https://pay.example/checkout/1", "p-1"] },
  {
    name: "the example for React has a link if there is no script", run: "react without the script", script: missing,
    expected: ["The checkout could not be loaded. Pay on its own page", "https://pay.example/checkout/1"],
  },
];

function run({ run, at = "", script = EMBED, integrity = "" }: Case): Promise<unknown> {
  const frame = document.createElement("iframe");
  const query = new URLSearchParams({ case: run, script, integrity });
  frame.src = `/${at && `${at}/`}case.html?${query}`;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("no answer in 15 seconds")), 15_000);
    addEventListener("message", function hear({ source, data }) {
      if (source !== frame.contentWindow) return;
      removeEventListener("message", hear);
      clearTimeout(timer);
      resolve(JSON.parse(data));
    });
    document.body.append(frame);
  });
}

const results = [];
for (const one of cases) {
  try {
    const found = await run(one);
    const short = typeof found === "string" && found.startsWith("class") ? "class" : found;
    const [is, expected] = [short, one.expected].map((value) => JSON.stringify(value));
    results.push({ name: one.name, ...(is !== expected && { error: `${is}, expected ${expected}` }) });
  } catch (error) {
    results.push({ name: one.name, error: String(error) });
  }
}
await fetch("/results", { method: "POST", body: JSON.stringify({ agent: navigator.userAgent, results }) });
