// From the press to the hash. The wallet is asked; what it answers decides only whether it is asked to send.

import type { WalletPayment } from "gateway-api";

import { Stopped, isUnknownChain, isUnsupported, perhapsSent } from "./failures";
import type { Name } from "./texts";

export interface Attempt {
  /** Asks the wallet. Fails when another attempt has begun since. */
  ask(method: string, ...params: unknown[]): Promise<unknown>;
  /** Asks the gateway. Fails unless the page shows what it answers. */
  look(account: string): Promise<WalletPayment>;
  /** Compares once more with the page, and asks the wallet to send. No other attempt can begin from here on. */
  send(payment: WalletPayment, transaction: Record<string, string>): Promise<unknown>;
  /** Whether an unconfirmed transaction of this account is known to be something else. */
  isOther(account: string): boolean;
  say(step: Name): void;
}

/** The least that any transaction uses. */
const LEAST_GAS = 21_000n;
const HASH = /^0x[0-9a-f]{64}$/i;

/** Returns the hash that the wallet gave. */
export const pay = async (attempt: Attempt): Promise<string> => {
  attempt.say("connect");
  const account = first(await attempt.ask("eth_requestAccounts"));
  const payment = await attempt.look(account);
  await changeNetwork(attempt, payment);
  attempt.say("checking");
  await checkFunds(attempt, payment, account);
  await checkUnfinished(attempt, account);
  const now = await attempt.look(account);
  if (JSON.stringify(now) !== JSON.stringify(payment)) throw new Stopped("changed");
  if (first(await attempt.ask("eth_accounts")) !== account) throw new Stopped("accountChanged");
  if (!(await isOn(attempt, payment))) throw new Stopped("wrongNetwork");
  attempt.say("confirm");
  const { transaction, chainId } = payment;
  const sending = attempt.send(payment, { from: account, chainId, ...transaction });
  const hash = await sending.catch((error) => {
    throw error instanceof Stopped ? error : new Stopped(perhapsSent(error));
  });
  if (typeof hash !== "string" || !HASH.test(hash)) throw new Stopped("unclear");
  return hash;
};

/** The account that the wallet has selected. */
const first = (accounts: unknown): string => {
  const account: unknown = Array.isArray(accounts) ? accounts[0] : undefined;
  if (typeof account !== "string" || !/^0x[0-9a-f]{40}$/i.test(account)) throw new Stopped("locked");
  return account.toLowerCase();
};

const number = (quantity: unknown): bigint => {
  if (typeof quantity !== "string" || !/^0x[0-9a-f]+$/i.test(quantity)) throw new Stopped("failed");
  return BigInt(quantity);
};

const isOn = async ({ ask }: Attempt, { chainId }: WalletPayment): Promise<boolean> =>
  number(await ask("eth_chainId")) === BigInt(chainId);

const changeNetwork = async (attempt: Attempt, payment: WalletPayment): Promise<void> => {
  if (await isOn(attempt, payment)) return;
  attempt.say("switch");
  const change = () => attempt.ask("wallet_switchEthereumChain", { chainId: payment.chainId });
  try {
    await change();
  } catch (error) {
    if (isUnsupported(error)) throw new Stopped("wrongNetwork");
    if (!isUnknownChain(error)) throw error;
    if (!payment.chain) throw new Stopped("unknownNetwork");
    await attempt.ask("wallet_addEthereumChain", payment.chain);
    // Some wallets change to a network that they add.
    if (!(await isOn(attempt, payment))) await change();
  }
  if (!(await isOn(attempt, payment))) throw new Stopped("wrongNetwork");
};

const checkFunds = async ({ ask }: Attempt, payment: WalletPayment, account: string): Promise<void> => {
  const { balance, transaction, atoms } = payment;
  if (balance) {
    const tokens = number(await ask("eth_call", { to: balance.to, data: balance.data }, "latest"));
    if (tokens < BigInt(atoms)) throw new Stopped("tooLittle");
  }
  const left = number(await ask("eth_getBalance", account, "latest")) - BigInt(transaction.value);
  if (left < 0n) throw new Stopped("tooLittle");
  const price = number(await ask("eth_gasPrice"));
  if (left < LEAST_GAS * price) throw new Stopped("noFee");
  const gas = await ask("eth_estimateGas", { from: account, ...transaction }).catch((error) => {
    throw error instanceof Stopped ? error : new Stopped("wouldFail");
  });
  if (left < number(gas) * price) throw new Stopped("noFee");
};

/** The page keeps nothing: after a reload, what was sent shows only in the numbers of the account's transactions. */
const checkUnfinished = async ({ ask, isOther }: Attempt, account: string): Promise<void> => {
  const count = async (block: string) => number(await ask("eth_getTransactionCount", account, block));
  if ((await count("pending")) > (await count("latest")) && !isOther(account)) throw new Stopped("unfinished");
};
