// Why a wallet did not pay, in the words of the page.

import type { Name } from "./texts";

export class Stopped extends Error {
  constructor(readonly why: Name) {
    super(why);
  }
}

// https://eips.ethereum.org/EIPS/eip-1193#provider-errors, https://eips.ethereum.org/EIPS/eip-1474#error-codes
const REJECTED = 4001;
const UNAUTHORIZED = 4100;
const UNSUPPORTED = 4200;
const DISCONNECTED = 4900;
const CHAIN_DISCONNECTED = 4901;
const PENDING = -32002;
const NO_METHOD = -32601;
const BAD_PARAMETERS = -32602;
// https://eips.ethereum.org/EIPS/eip-3326
const UNKNOWN_CHAIN = 4902;

/** Some wallets wrap the error of another part of theirs. */
const codeOf = (error: unknown): unknown => {
  const { code, data } = Object(error);
  return Object(Object(data).originalError).code ?? code;
};

export const isUnknownChain = (error: unknown): boolean => codeOf(error) === UNKNOWN_CHAIN;

export const isUnsupported = (error: unknown): boolean =>
  ([UNSUPPORTED, NO_METHOD] as unknown[]).includes(codeOf(error));

/** Before the wallet is asked to send. */
export const nothingSent = (error: unknown): Name => {
  if (error instanceof Stopped) return error.why;
  switch (codeOf(error)) {
    case REJECTED:
      return "rejected";
    case PENDING:
      return "busy";
    case UNAUTHORIZED:
      return "locked";
    case DISCONNECTED:
    case CHAIN_DISCONNECTED:
      return "disconnected";
    default:
      return "failed";
  }
};

/** Of the request to sign, which sends nothing. Some wallets say in words alone that the payer declined:
 * https://docs.tronlink.org/plugin-wallet/active-requests/ */
export const nothingSigned = (error: unknown): Name => {
  const { message } = Object(error);
  const said = typeof error === "string" ? error : String(message);
  return /declined|rejected|denied|cancel/i.test(said) ? "rejected" : nothingSent(error);
};

/** Of the request to send: only these errors say that nothing was sent. A wallet that fails otherwise may have sent before. */
const SENT_NOTHING: readonly unknown[] = [REJECTED, UNAUTHORIZED, UNSUPPORTED, NO_METHOD, BAD_PARAMETERS];

export const perhapsSent = (error: unknown): Name =>
  SENT_NOTHING.includes(codeOf(error)) ? nothingSent(error) : "unclear";
