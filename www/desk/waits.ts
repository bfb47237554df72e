// Why a payout is not sent: a sentence for each `waitingReason` of a withdrawal, as the gateway says it.

const SENTENCES: Record<string, string> = {
  REJECTED: "An operator rejected or cancelled it: its money returns to the balance.",
  DISABLED: "Its business is disabled: it waits until the business is enabled, or is cancelled.",
  UNAPPROVED: "It is above a limit of its business, or changed after its approval: it waits for an approval.",
  APPROVED_OTHERWISE: "Another address, tag or amount was approved: it waits for an approval again.",
  UNSCREENED: "The screening has not said today who owns its address: it waits for the answer.",
  HELD: "It may have been sent already: it waits until the chain or an operator says whether it was.",
  OWN_ADDRESS: "Its address is an account of this gateway: its money returns to the balance, or it waits for another address.",
  UNANSWERED: "Its network does not say whether its address can be paid: it waits, and the network is asked again.",
  NOT_FINAL: "The deposits that pay for it are not final, or do not cover it: it waits until they are final and cover it.",
  OVERDRAWN: "The balance that it is taken from is below zero: it waits until that is made up for.",
  HOURLY_LIMIT: "With it, more would leave of its business than may in an hour, or its coin has no rate: it waits.",
  FEE_UNKNOWN: "What its network asks is not known, or has no rate: it waits and is asked again.",
  FEE: "Its network asks more than its fee: it waits until that falls, or is cancelled.",
  UNSIGNED: "Its network does not answer, or the wallet that pays holds too little: it waits and is tried again.",
  CHANGED: "What it gives back changed meanwhile: it is prepared again.",
  NO_NETWORK: "This gateway sends nothing on its network: it waits, or is cancelled.",
};

export const sentenceOf = (code: string): string => SENTENCES[code] ?? `It waits: ${code.toLowerCase().replace(/_/g, " ")}.`;
