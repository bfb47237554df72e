// From the press to the transaction id on TRON (TIP-1193). The wallet signs; the gateway reads the network and sends, because what such a wallet
// reads and sends from within a page, the page's policy refuses.

import type { WalletPayment } from "gateway-api";

import type { TronWeb } from "./announced";
import { Stopped, isUnknownChain, isUnsupported, nothingSigned } from "./failures";
import type { Name } from "./texts";
import { hexOf, read } from "./tron_bytes";
import type { Transaction } from "./tron_bytes";

export interface TronAttempt {
  /** Of the network that the page shows. */
  chainId: string;
  /** Asks the wallet. Fails when another attempt has begun since. */
  ask(method: string, ...params: unknown[]): Promise<unknown>;
  /** What the wallet signs with; nothing while it is locked. */
  tronWeb(): TronWeb | undefined;
  /** Asks the gateway. Fails unless the page shows what it answers. */
  look(account: string): Promise<WalletPayment>;
  /** Compares once more with the page, and asks the wallet to sign. No other attempt can begin from here on. */
  sign(payment: WalletPayment, tronWeb: TronWeb, transaction: Transaction): Promise<unknown>;
  /** Hands the signature to the gateway until that says what became of the transaction, or it has expired. */
  send(payment: WalletPayment, transaction: Transaction, signature: string): Promise<boolean>;
  say(step: Name): void;
}

/** Between the answer of the wallet and its `tronWeb`, in milliseconds. */
const READY_WITHIN = 2_000;
const LOOKS_EVERY = 50;

const SIGNATURE = /^(?:0x)?[0-9a-f]{130}$/i;

/** Returns the id of the transaction. */
export const payOnTron = async (attempt: TronAttempt): Promise<string> => {
  attempt.say("connect");
  const account = first(await attempt.ask("eth_requestAccounts"));
  await changeNetwork(attempt);
  attempt.say("checking");
  const tronWeb = await ready(attempt);
  // As late as possible: from here to the signature, nothing else is asked.
  const payment = await attempt.look(account);
  if (payment.obstacle) throw new Stopped(payment.obstacle);
  if (!payment.unsigned) throw new Stopped("notReached");
  const { to: contract, data } = payment.transaction;
  const transaction = await read(payment.unsigned, { account, contract, data });
  if (!transaction) throw new Stopped("changed");
  if (tronWeb.defaultAddress?.base58 !== account) throw new Stopped("accountChanged");
  attempt.say("confirm");
  const signed = await attempt.sign(payment, tronWeb, transaction).catch((error) => {
    throw error instanceof Stopped ? error : new Stopped(nothingSigned(error));
  });
  if (!(await attempt.send(payment, transaction, signatureOf(signed, transaction)))) throw new Stopped("unclear");
  return transaction.txID;
};

/** The account that the wallet has selected. */
const first = (accounts: unknown): string => {
  const account: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof account !== "string" || !hexOf(account)) throw new Stopped("locked");
  return account;
};

/** A wallet may not say on which network it is. The transaction names a block of this network, and is void on any other. */
const changeNetwork = async ({ ask, say, chainId }: TronAttempt): Promise<void> => {
  const isOn = async (): Promise<boolean | undefined> => {
    try {
      return String(await ask("eth_chainId")).toLowerCase() === chainId;
    } catch (error) {
      if (isUnsupported(error)) return undefined;
      throw error;
    }
  };
  const before = await isOn();
  if (before) return;
  say("switch");
  try {
    await ask("wallet_switchEthereumChain", { chainId });
  } catch (error) {
    if (isUnknownChain(error)) throw new Stopped("unknownNetwork");
    if (!isUnsupported(error)) throw error;
    if (before === false) throw new Stopped("wrongNetwork");
  }
  if ((await isOn()) === false) throw new Stopped("wrongNetwork");
};

const ready = async ({ tronWeb }: TronAttempt): Promise<TronWeb> => {
  for (let waited = 0; waited < READY_WITHIN; waited += LOOKS_EVERY) {
    const found = tronWeb();
    if (found) return found;
    await new Promise((done) => setTimeout(done, LOOKS_EVERY));
  }
  throw new Stopped("locked");
};

/** A wallet that has signed something else may have sent that. */
const signatureOf = (signed: unknown, transaction: Transaction): string => {
  const { txID, raw_data_hex, signature } = Object(signed);
  const [text]: unknown[] = Array.isArray(signature) ? signature : [];
  const isSame = txID === transaction.txID && raw_data_hex === transaction.raw_data_hex;
  if (!isSame || typeof text !== "string" || !SIGNATURE.test(text)) throw new Stopped("unclear");
  return text;
};
