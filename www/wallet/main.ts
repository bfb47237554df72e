// Pays with a wallet in this browser (EIP-6963, EIP-1193). Loaded once a wallet announces itself; docs/guides/wallets.md says what it does.

import type { WalletPage, WalletPayment } from "gateway-api";

import { listen } from "./announced";
import type { Wallet } from "./announced";
import { Stopped, nothingSent } from "./failures";
import * as gateway from "./gateway";
import { pay } from "./pay";
import type { Name } from "./texts";
import * as view from "./view";

/** After this, the payer is told to look into the wallet. In milliseconds. */
const ANSWERS_WITHIN = 30_000;
const ASKS_AGAIN = 10_000;

let wallets: readonly Wallet[] = [];
let { payment, texts }: WalletPage = { texts: {} };

/** Counts the presses. What an earlier one still does, ends. */
let attempt = 0;
let isAsking = false;
/** From the request to send until the wallet says that it sent nothing: whoever presses now would pay twice. */
let isSending = false;
/** Accounts whose payers know of an unconfirmed transaction. */
const told = new Set<string>();

const text = (name: Name): string => texts[name] ?? "";

const say = (name: Name, sent?: view.Sent): void => {
  view.say(name, text(name), sent);
  view.lock(isSending || isAsking);
};

const look = async (account: string): Promise<WalletPayment> => {
  const page = await gateway.ask(account);
  if (!page.payment || !gateway.isShown(page.payment)) throw new Stopped("changed");
  ({ payment, texts } = page);
  return page.payment;
};

/** Says so when the wallet does not answer. A late answer counts all the same. */
const request = async ({ provider }: Wallet, mine: number, method: string, params: unknown[]): Promise<unknown> => {
  const timer = setTimeout(() => {
    if (mine !== attempt) return;
    isAsking = false;
    say("silent");
  }, ANSWERS_WITHIN);
  try {
    return await provider.request({ method, params });
  } finally {
    clearTimeout(timer);
    if (mine === attempt) isAsking = true;
  }
};

const press = async (wallet: Wallet): Promise<void> => {
  if (isAsking || isSending || document.querySelector(".settling")) return;
  const mine = ++attempt;
  isAsking = true;
  let account = "";
  let explorer: string | undefined;
  try {
    const hash = await pay({
      ask: async (method, ...params) => {
        const answer = await request(wallet, mine, method, params);
        if (mine !== attempt) throw new Stopped("failed");
        return answer;
      },
      look: (payer) => {
        account = payer;
        return look(payer);
      },
      send: (asked, transaction) => {
        if (mine !== attempt || isSending || !gateway.isShown(asked)) throw new Stopped("changed");
        isSending = true;
        ({ explorer } = asked);
        return request(wallet, mine, "eth_sendTransaction", [transaction]);
      },
      isOther: (payer) => told.has(payer),
      say: (step) => mine === attempt && say(step),
    });
    say("sent", { hash, link: explorer && explorer + hash, label: text("explorer") });
  } catch (error) {
    if (mine !== attempt) return;
    const why = nothingSent(error);
    if (why === "unfinished") told.add(account);
    isAsking = false;
    isSending = isSending && why === "unclear";
    say(why);
  }
};

const draw = (): void => {
  view.place(payment !== undefined);
  if (window.top !== window) view.drawLink(text("inTab"));
  else view.drawWallets(text("title"), wallets, (wallet) => void press(wallet));
  view.lock(isSending || isAsking);
};

let asked = "";

/** Asks the gateway again when the page shows another payment. */
const follow = (): void => {
  const shown = gateway.onPage();
  view.place(payment !== undefined);
  const now = JSON.stringify(shown);
  if (now === asked || !shown.address?.startsWith("0x")) return;
  asked = now;
  gateway.ask().then((page) => {
    if (asked !== now) return;
    ({ payment, texts } = page);
    draw();
  }).catch(() => setTimeout(() => {
    if (asked === now) asked = "";
    follow();
  }, ASKS_AGAIN));
};

listen((all) => {
  wallets = all;
  if (payment) draw();
});
const checkout = document.getElementById("checkout");
if (checkout) {
  const changes = { childList: true, subtree: true, attributes: true, attributeFilter: ["data-value"] };
  new MutationObserver(follow).observe(checkout, changes);
}
follow();
