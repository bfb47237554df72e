// Pays with a wallet in this browser (EIP-6963 and EIP-1193, TIP-6963 and TIP-1193). Loaded once a wallet announces itself; docs/guides/wallets.md says what it does.

import type { WalletPage, WalletPayment } from "gateway-api";

import { listen } from "./announced";
import type { TronWeb, Wallet } from "./announced";
import { Stopped, nothingSent } from "./failures";
import * as gateway from "./gateway";
import { pay } from "./pay";
import { payOnTron } from "./pay_on_tron";
import type { Name } from "./texts";
import type { Transaction } from "./tron_bytes";
import * as view from "./view";

/** After this, the payer is told to look into the wallet. In milliseconds. */
const ANSWERS_WITHIN = 30_000;
const ASKS_AGAIN = 10_000;

/** Of EVM networks and of TRON. */
const ACCOUNT = /^(?:0x|T)/;
const TRON = "TRX";

let wallets: readonly Wallet[] = [];
let { payment, texts }: WalletPage = { texts: {} };

/** Counts the presses. What an earlier one still does, ends. */
let attempt = 0;
let isAsking = false;
/** From the request to send or sign until the wallet says that it did not: whoever presses now would pay twice. */
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
const patient = async (mine: number, question: () => Promise<unknown>): Promise<unknown> => {
  const timer = setTimeout(() => {
    if (mine !== attempt) return;
    isAsking = false;
    say("silent");
  }, ANSWERS_WITHIN);
  try {
    return await question();
  } finally {
    clearTimeout(timer);
    if (mine === attempt) isAsking = true;
  }
};

/** The same transaction again and again, which the network takes once, until the answer is clear. */
const deliver = async (asked: WalletPayment, transaction: Transaction, signature: string): Promise<boolean> => {
  for (;;) {
    try {
      return await gateway.send(transaction.raw_data_hex, signature);
    } catch {
      say("unclear");
      await new Promise((done) => setTimeout(done, ASKS_AGAIN));
      if (!gateway.isShown(asked) || Date.now() > transaction.raw_data.expiration) return false;
    }
  }
};

const press = async ({ provider, isTron }: Wallet): Promise<void> => {
  if (isAsking || isSending || !payment || document.querySelector(".settling")) return;
  const mine = ++attempt;
  isAsking = true;
  let account = "";
  let explorer: string | undefined;
  const request = (method: string, params: unknown[]) => patient(mine, () => provider.request({ method, params }));
  const begin = (asked: WalletPayment): void => {
    if (mine !== attempt || isSending || !gateway.isShown(asked)) throw new Stopped("changed");
    isSending = true;
    ({ explorer } = asked);
  };
  const common = {
    ask: async (method: string, ...params: unknown[]) => {
      const answer = await request(method, params);
      if (mine !== attempt) throw new Stopped("failed");
      return answer;
    },
    look: (payer: string) => {
      account = payer;
      return look(payer);
    },
    say: (step: Name) => mine === attempt && say(step),
  };
  const onTron = {
    ...common,
    chainId: payment.chainId,
    tronWeb: () => provider.tronWeb || undefined,
    sign: async (asked: WalletPayment, tronWeb: TronWeb, transaction: Transaction) => {
      begin(asked);
      return patient(mine, () => tronWeb.trx.sign(structuredClone(transaction)));
    },
    send: deliver,
  };
  const onEvm = {
    ...common,
    send: (asked: WalletPayment, transaction: Record<string, string>) => {
      begin(asked);
      return request("eth_sendTransaction", [transaction]);
    },
    isOther: (payer: string) => told.has(payer),
  };
  try {
    const hash = await (isTron ? payOnTron(onTron) : pay(onEvm));
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

/** Those for the network of the page. */
const offered = (): readonly Wallet[] => {
  const { currency, network } = gateway.onPage();
  if (!payment || payment.currency !== currency || payment.network !== network) return [];
  return wallets.filter(({ isTron }) => isTron === (network === TRON));
};

const draw = (): void => {
  view.place(offered().length > 0);
  if (window.top !== window) view.drawLink(text("inTab"));
  else view.drawWallets(text("title"), offered(), (wallet) => void press(wallet));
  view.lock(isSending || isAsking);
};

let asked = "";

/** Asks the gateway again when the page shows another payment. */
const follow = (): void => {
  const shown = gateway.onPage();
  view.place(offered().length > 0);
  const now = JSON.stringify(shown);
  if (now === asked || !ACCOUNT.test(shown.address ?? "")) return;
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
