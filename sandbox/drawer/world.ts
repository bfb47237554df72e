// The simulated world, and what can be done to it.
import type { CurrencyInfo } from "gateway-api";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { gateway } from "../../www/desk/api";
import { duration, plural, shorten } from "../../www/desk/format";
import { useLoad } from "../../www/desk/use";
import { post } from "./requests";

/** `GET /sandbox/overview` */
export interface World {
  clockAheadSeconds: number;
  chains: Chain[];
  flaggedAddresses: { network: string; address: string }[];
  /** How the inbox answers the next deliveries. */
  inbox: { status: number; times: number; delaySeconds: number };
}

export interface Chain {
  network: string;
  name: string;
  height: number;
  /** Number of pending transfers. */
  pending: number;
  /** Confirmations required for finality. */
  finality: number;
  /** The default sender; a valid sample address. */
  usualSender: string;
}

export const WorldContext = createContext<World | null>(null);

export const useWorld = (): World | null => useContext(WorldContext);

export const useChain = (network: string): Chain | undefined => useWorld()?.chains.find((chain) => chain.network === network);

export const useNetworks = (): [string, string][] => (useWorld()?.chains ?? []).map(({ network, name }) => [network, name]);

export const useCurrencies = (): CurrencyInfo[] => useLoad<CurrencyInfo[]>(gateway("/api/v1/currencies")).data ?? [];

export const pairLabel = (currency: string, network: string): string => (currency === network ? currency : `${currency} on ${network}`);

export interface Transfer {
  network: string;
  currency: string;
  address: string;
  amount: string;
  destinationTag?: string;
  fromAddress?: string;
  replaceable?: boolean;
}

export async function send(transfer: Transfer): Promise<string> {
  const { transactionId } = await post<{ transactionId: string }>("/sandbox/transfers", transfer);
  return `Sent ${transfer.amount} ${transfer.currency} on ${transfer.network}: ${shorten(transactionId, 6)}`;
}

export async function mine(network: string, count = 1): Promise<string> {
  const { height } = await post<{ height: number }>("/sandbox/blocks", { network, count });
  return count === 1 ? `Mined block ${height} on ${network}` : `Mined ${count} blocks on ${network}, up to ${height}`;
}

export async function reorganise(network: string, depth: number): Promise<string> {
  const { height } = await post<{ height: number }>("/sandbox/reorgs", { network, depth });
  return `${network} lost ${plural(depth, "block")}; its height is ${height}`;
}

export async function drop(transactionId: string): Promise<string> {
  await post("/sandbox/drops", { transactionId });
  return "The transfer was dropped from its chain";
}

export async function revert(transactionId: string): Promise<string> {
  await post("/sandbox/reverts", { transactionId });
  return "The transaction reverts in its block";
}

export async function advance(seconds: number): Promise<string> {
  await post("/sandbox/clock", { advanceSeconds: Math.max(1, Math.ceil(seconds)) });
  return `The clock advanced by ${duration(seconds)}`;
}

export async function flag(network: string, address: string, flagged = true): Promise<string> {
  await post("/sandbox/flags", { network, address, flagged });
  return `${shorten(address, 6)} is ${flagged ? "flagged" : "no longer flagged"} on ${network}`;
}
