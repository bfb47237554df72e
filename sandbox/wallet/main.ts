// A wallet in the browser (EIP-6963, EIP-1193) that spends the coins of the simulated chains. It asks before it sends, as a wallet does.

import type { WalletPage } from "gateway-api";

interface Call {
  method: string;
  params?: readonly unknown[];
}

interface Sent {
  to: string;
  value: string;
  data: string;
  chainId: string;
}

// https://eips.ethereum.org/EIPS/eip-1193#provider-errors
const REJECTED = 4001;
const UNSUPPORTED = 4200;

const NAME = "Simulated wallet";
const ICON = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 2'%3E%3Crect width='2' height='2' rx='.5' fill='teal'/%3E%3C/svg%3E";

/** More than any payment asks for, of each coin. */
const BALANCE = `0x${"f".repeat(24)}`;
const GAS_PRICE = "0x3b9aca00";
const GAS = "0xfde8";

class ProviderError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

const read = async <T>(path: string, body?: object): Promise<T> => {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(path, body && { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
  return answer.json();
};

/** What the page asks a wallet for. */
const asked = async () => {
  const { payment } = await read<WalletPage>(`${location.pathname}/wallet${location.search}`);
  if (!payment) throw new Error("The page asks for nothing.");
  return payment;
};

/** The usual sender on the chain of the page. */
const account = async (): Promise<string> => {
  const { network } = await asked();
  const { chains } = await read<{ chains: { network: string; usualSender: string }[] }>("/sandbox/overview");
  return chains.find((chain) => chain.network === network)!.usualSender;
};

const send = async ({ to, value, data, chainId }: Sent): Promise<string> => {
  const { transaction, amount, currency, network, address, chainId: expected } = await asked();
  const isAsked = transaction.to === to && transaction.value === value && transaction.data === data && expected === chainId;
  if (!isAsked) throw new Error("The page asks for another transaction.");
  if (!confirm(`${NAME}: send ${amount} ${currency} on ${network} to ${address}?`)) {
    throw new ProviderError(REJECTED, "The payer declined.");
  }
  const transfer = { network, currency, address, amount, fromAddress: await account() };
  const { transactionId } = await read<{ transactionId: string }>("/sandbox/transfers", transfer);
  return transactionId;
};

/** Another chain than that of the page, which has to ask for a change. */
let chainId = "0x1";

const request = async ({ method, params = [] }: Call): Promise<unknown> => {
  switch (method) {
    case "eth_requestAccounts":
    case "eth_accounts":
      return [await account()];
    case "eth_chainId":
      return chainId;
    case "wallet_switchEthereumChain":
      ({ chainId } = params[0] as Sent);
      return null;
    case "eth_call":
    case "eth_getBalance":
      return BALANCE;
    case "eth_gasPrice":
      return GAS_PRICE;
    case "eth_estimateGas":
      return GAS;
    case "eth_getTransactionCount":
      return "0x0";
    case "eth_sendTransaction":
      return send(params[0] as Sent);
    default:
      throw new ProviderError(UNSUPPORTED, `The simulated wallet has no ${method}.`);
  }
};

const info = { uuid: crypto.randomUUID(), name: NAME, icon: ICON, rdns: "sandbox.checkout" };
const detail = Object.freeze({ info, provider: { request } });
const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
addEventListener("eip6963:requestProvider", announce);
announce();
