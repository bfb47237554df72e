// The names of the texts that the gateway sends (`WalletPage`).

export const NAMES = [
  "title",
  "inTab",
  "connect",
  "switch",
  "checking",
  "confirm",
  "silent",
  "sent",
  "rejected",
  "busy",
  "locked",
  "accountChanged",
  "wrongNetwork",
  "unknownNetwork",
  "tooLittle",
  "noFee",
  "wouldFail",
  "changed",
  "unfinished",
  "disconnected",
  "failed",
  "unclear",
  "notReached",
  "explorer",
] as const;

export type Name = (typeof NAMES)[number];
