// Words, shapes and colours of the gateway's states. None of the three carries the meaning alone.

export type Tone = "calm" | "busy" | "good" | "warn" | "bad";

export interface Label {
  word: string;
  icon: string;
  tone: Tone;
}

type Labels = Record<string, Label>;

export const PAYMENT: Record<string, Label & { meaning: string }> = {
  NEW: { word: "New", icon: "state-new", tone: "calm", meaning: "The payer has not chosen a currency yet." },
  PENDING: { word: "Pending", icon: "state-pending", tone: "calm", meaning: "The payer has an address. No transfer yet." },
  AWAITING: {
    word: "Awaiting",
    icon: "state-awaiting",
    tone: "busy",
    meaning: "A transfer was seen. It does not cover the amount, or is not confirmed.",
  },
  DEPOSITED: { word: "Deposited", icon: "state-deposited", tone: "good", meaning: "Confirmed deposits cover the amount exactly." },
  OVERPAID: { word: "Overpaid", icon: "state-overpaid", tone: "warn", meaning: "Confirmed deposits exceed the amount." },
  EXPIRED: { word: "Expired", icon: "state-expired", tone: "bad", meaning: "The window ended. Late deposits are still detected." },
};

export const canExpire = (status: string): boolean => ["NEW", "PENDING", "AWAITING"].includes(status);

export const DEPOSIT: Labels = {
  UNCONFIRMED: { word: "Unconfirmed", icon: "state-pending", tone: "busy" },
  CONFIRMED: { word: "Confirmed", icon: "state-deposited", tone: "good" },
};

export const REFUND: Labels = {
  PENDING: { word: "Pending", icon: "state-pending", tone: "busy" },
  CONFIRMED: { word: "Confirmed", icon: "state-deposited", tone: "good" },
  NON_REFUNDABLE: { word: "Too small", icon: "drop", tone: "warn" },
  FAILED: { word: "Failed", icon: "drop", tone: "bad" },
  BLOCKED: { word: "Blocked", icon: "drop", tone: "bad" },
  CANCELLED: { word: "Cancelled", icon: "drop", tone: "calm" },
};

export const SALE: Labels = {
  OPEN: { word: "Open", icon: "state-deposited", tone: "good" },
  SOLD_OUT: { word: "Sold out", icon: "state-awaiting", tone: "warn" },
  ENDED: { word: "Ended", icon: "state-expired", tone: "calm" },
  WITHDRAWN: { word: "Withdrawn", icon: "drop", tone: "calm" },
};

export const CALLBACK: Labels = {
  PENDING: { word: "To be sent", icon: "state-pending", tone: "busy" },
  HELD: { word: "Held back", icon: "state-new", tone: "warn" },
  DELIVERED: { word: "Delivered", icon: "state-deposited", tone: "good" },
  FAILED: { word: "Given up", icon: "drop", tone: "bad" },
};

export const WITHDRAWAL: Labels = {
  NEW: { word: "New", icon: "state-pending", tone: "busy" },
  COMPLETED: { word: "Completed", icon: "state-deposited", tone: "good" },
  FAILED: { word: "Failed", icon: "drop", tone: "bad" },
  BLOCKED: { word: "Blocked", icon: "drop", tone: "bad" },
};

const WAITS: Label = { word: "Waits for approval", icon: "flag", tone: "warn" };

const WAITS_FOR: Labels = {
  APPROVAL: WAITS,
  FEE: { word: "Waits for a lower fee", icon: "flag", tone: "warn" },
};

const IS_NOT_SENT: Label = { word: "Waits", icon: "flag", tone: "warn" };

interface State {
  status: string;
  waitingFor?: string;
  waitingReason?: string;
}

export const ofWithdrawal = ({ status, waitingFor, waitingReason }: State): Label =>
  (waitingFor && WAITS_FOR[waitingFor]) || (waitingReason ? IS_NOT_SENT : labelOf(WITHDRAWAL, status));

export const ofRefund = ({ status, waitingFor, waitingReason }: State): Label => {
  if (waitingFor === "APPROVAL") return WAITS;
  if (waitingFor === "ADDRESS") return { word: "Waits for an address", icon: "flag", tone: "warn" };
  return waitingReason ? IS_NOT_SENT : labelOf(REFUND, status);
};

/** Why a refund waits, after "because". */
const REASONS: Record<string, string> = {
  NOT_GIVEN: "nobody has given one yet",
  LIMIT: "it is above a limit",
  UNCONFIRMED_SENDER: "the payer has not said yet whether the sender is their own wallet",
  UNKNOWN_SENDER: "the transaction does not show the sender",
  CONTRACT: "the sender is a contract",
  INTERNAL_TRANSFER: "a contract sent the coins for somebody",
  TAG_REQUIRED: "the sender demands a tag and sent none",
  CLOSED: "the sender takes money from known accounts only",
  REFUSED: "the network refuses the sender's address",
  REVERTED: "the sender's address did not take it",
  BLOCKED: "the screening blocks the address that was given",
  CLAIM: "the payer named an address on the page",
  OWN_ADDRESS: "the sender is an account of this gateway",
  CLAIM_REFUSED: "the address that the payer named was refused",
};

export const reasonOf = (code: string): string => REASONS[code] ?? code.toLowerCase().replace(/_/g, " ");

/** The accounts of the ledger, in the order in which money passes them. Money that comes in is negative on the chain. */
export const ACCOUNTS: Record<string, string> = {
  CHAIN: "On the chain",
  EXCHANGE: "Exchanged",
  FEES: "Service fee",
  COSTS: "Network fee",
  FIAT: "Your balance",
  CRYPTO: "Your coins",
  HELD: "Held",
  REFUNDS: "To be refunded",
  WITHDRAWALS: "To be paid out",
};

/** A booking, in words. */
export function eventOf(event: string): string {
  const text = event.toLowerCase().replace(/_/g, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A state from a later gateway is shown by its code. */
export const labelOf = <L extends Label>(labels: Record<string, L>, state: string): L | Label =>
  labels[state] ?? { word: state, icon: "state-new", tone: "calm" };
