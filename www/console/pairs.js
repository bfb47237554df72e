// Currencies on their networks, as the gateway lists them.
import { state } from "./state.js";

/** Options of a list, `BTC/BTC` and how it is called; `way` is `deposit` or `withdrawal`. */
export const pairs = (way) =>
  (state.currencies ?? []).flatMap(({ currency, networks }) =>
    networks.filter((row) => row[way]).map(({ network }) => [`${currency}/${network}`, currency === network ? currency : `${currency} on ${network}`]),
  );

/** What holds for a pair: minimum, maxAmount, withdrawFee, tag. */
export function pairOf(text) {
  const [currency, network] = (text ?? "").split("/");
  const found = state.currencies?.find((row) => row.currency === currency)?.networks.find((row) => row.network === network);
  return found && { currency, ...found };
}

export const TAG = { DESTINATION_TAG: "Destination tag", MEMO: "Memo" };

/** Somebody's address on a network, to try things with. */
export const sample = (network) => state.overview?.chains.find((row) => row.network === network)?.usualSender;
