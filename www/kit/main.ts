// Starts the page of the kit: what a gateway does for the hosted page before it sends it, this does in the browser. It stands
// in the place of the module for www/checkout.js.
import load, { start as draw } from "widget-glue";
import { serverTime } from "./clock";
import { connect } from "./fetch";
import { Gateway } from "./gateway";
import { helpOf } from "./help";
import { linkOf, look } from "./link";
import { FILE, readSettings } from "./settings";
import { textsFor } from "./texts";

let help: Element | undefined;

export function start(): void {
  draw();
  if (help) document.querySelector(".card")!.append(help);
}

export default async function init(options: object): Promise<void> {
  await Promise.all([load(options), prepare()]);
}

async function prepare(): Promise<void> {
  const asked = performance.now();
  const { settings, api, headers } = await readSettings();
  reachNothingBut(api);
  const url = new URL(location.href);
  if (settings.theme && !url.searchParams.get("theme")) {
    url.searchParams.set("theme", settings.theme);
    history.replaceState(null, "", url);
  }
  // The first estimate, which the answers of the API replace.
  await serverTime(headers, asked);
  const gateway = new Gateway(settings, api);
  connect(gateway);
  const link = linkOf(url);
  const { found, time } = await look(gateway, link);
  const payment = typeof found === "object" ? found.view["payment"] : undefined;
  const language = await textsFor([url.searchParams.get("locale"), payment?.locale]);
  help = helpOf(settings, language.texts);
  refuseOthers(typeof found === "object" ? found.view["allowedOrigins"] : []);
  const page = link && gateway.pageOf(link.paymentId);
  if (page) offerForms(page, url);
  // The module takes it for the time in the middle between the opening of the page and now.
  const serverNow = Math.round(time - performance.now() / 2);
  document.getElementById("checkout-data")!.textContent = JSON.stringify({ serverTime: serverNow, found, language });
}

/** A page that may not embed this one is told so, and nothing of the payment. */
function refuseOthers(allowed: readonly string[]): void {
  addEventListener("message", ({ source, origin, data }) => {
    const isGreeting = source && source === parent && data?.protocol === "crypto-checkout" && data.type === "hello";
    if (!isGreeting || allowed.includes(origin)) return;
    console.error(`${origin} embeds the checkout, and is not among allowedOrigins in ${FILE}`);
    const { protocol, version, instance } = data;
    parent.postMessage({ protocol, version, instance, type: "error", code: "origin-not-allowed" }, origin);
  });
}

/** The page can reach its own server and the API. */
function reachNothingBut(api: string): void {
  const policy = document.createElement("meta");
  policy.httpEquiv = "Content-Security-Policy";
  policy.content = `connect-src 'self' ${new URL(api).origin}`;
  document.head.append(policy);
}

/** The server draws the forms that need no script, on its own page. */
function offerForms(page: string, { searchParams }: URL): void {
  document.documentElement.dataset["forms"] = "";
  if (searchParams.has("claim") || searchParams.has("lookup")) location.replace(`${page}?${searchParams}`);
}
