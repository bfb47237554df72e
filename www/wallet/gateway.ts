// What the gateway asks a wallet for, what the page shows, and what a wallet has signed.

import type { WalletPage, WalletPayment, WalletSent } from "gateway-api";

import { Stopped } from "./failures";
import { hexOf } from "./tron_bytes";

/** `account` is the one whose balance is read. */
export const ask = async (account?: string): Promise<WalletPage> => {
  const query = new URLSearchParams(location.search);
  if (account) query.set("account", account);
  try {
    const answer = await fetch(`${location.pathname}/wallet?${query}`, { cache: "no-store" });
    if (answer.ok) return await answer.json();
  } catch {
    // As an answer that is no page.
  }
  throw new Stopped("notReached");
};

const shown = (part: string): string | undefined =>
  document.querySelector<HTMLElement>(`.pay [data-part="${part}"]`)?.dataset["value"];

/** What the page asks the payer for. */
export const onPage = () => ({
  currency: shown("currency"),
  network: shown("network"),
  amount: shown("remaining") ?? shown("amount"),
  address: shown("address"),
});

/** The transaction sends exactly what the page shows: the gateway wrote it, and the page's module checked the address. */
export const isShown = (payment: WalletPayment): boolean => {
  const { currency, network, amount, address } = onPage();
  const same = payment.currency === currency && payment.network === network && payment.amount === amount;
  return same && payment.address === address && recipient(payment) === accountOf(address);
};

/** In hexadecimal digits, without a version. */
const accountOf = (address = ""): string | undefined =>
  address.startsWith("0x") ? address.slice(2).toLowerCase() : hexOf(address)?.slice(2);

/** Reads the recipient out of the transaction; `undefined` unless it sends the amount, and nothing else. */
const recipient = ({ transaction: { to, value, data }, atoms }: WalletPayment): string | undefined => {
  if (data === "0x") return value === atoms ? accountOf(to) : undefined;
  const [, account, amount] = /^0xa9059cbb0{24}([0-9a-f]{40})([0-9a-f]{64})$/.exec(data) ?? [];
  return value === "0x0" && amount && BigInt(`0x${amount}`) === BigInt(atoms) ? account : undefined;
};

/** Whether the network has the transaction. Fails while that is not known, and the same may be handed over again. */
export const send = async (unsigned: string, signature: string): Promise<boolean> => {
  const body = new URLSearchParams({ unsigned, signature });
  const answer = await fetch(`${location.pathname}/wallet${location.search}`, { method: "POST", body });
  const { state }: WalletSent = await answer.json();
  if (state !== "SENT" && state !== "NOT_SENT") throw new Stopped("notReached");
  return state === "SENT";
};
