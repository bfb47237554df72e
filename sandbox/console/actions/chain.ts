// Actions of payers, chains and the clock in the sandbox. Each returns a message about its result.
import { post } from "../api";
import { sampleAddress } from "../currencies";
import { duration, plural, shorten } from "../../../www/desk/format";

export interface Transfer {
  network: string;
  currency: string;
  address: string;
  tag?: string;
  amount: string;
  from?: string;
  /** Signals that it can be replaced (BIP 125). */
  replaceable?: boolean;
  /** Flags the sender first. */
  flagged?: boolean;
}

export async function transfer({ network, currency, address, amount, tag, from, replaceable, flagged }: Transfer): Promise<string> {
  if (flagged) await post("/sandbox/flags", { network, address: from || sampleAddress(network) });
  const { transactionId } = await post<{ transactionId: string }>("/sandbox/transfers", {
    network,
    currency,
    address,
    amount,
    ...(tag && { destinationTag: tag }),
    ...(replaceable && { replaceable }),
    ...(from && { fromAddress: from }),
  });
  return `Sent ${amount} ${currency} on ${network}: ${shorten(transactionId, 6)}`;
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

export async function advanceClock(seconds: number): Promise<string> {
  await post("/sandbox/clock", { advanceSeconds: Math.max(1, Math.ceil(seconds)) });
  return `The clock advanced by ${duration(seconds)}`;
}

export async function flag(network: string, address: string): Promise<string> {
  await post("/sandbox/flags", { network, address, flagged: true });
  return `Flagged ${shorten(address, 6)} on ${network}`;
}

export async function unflag(network: string, address: string): Promise<string> {
  await post("/sandbox/flags", { network, address, flagged: false });
  return `${shorten(address, 6)} is no longer flagged`;
}
