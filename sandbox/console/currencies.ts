// Currencies and networks, as the gateway lists them.
import { get } from "./api";
import type { Currency, CurrencyNetwork } from "./model";
import { state, update } from "./store";

export async function loadCurrencies(): Promise<Currency[]> {
  const currencies = state.currencies ?? (await get<Currency[]>("/api/v1/currencies"));
  update({ currencies });
  return currencies;
}

export const coinCodes = (): string[] => (state.currencies ?? []).map(({ currency }) => currency);

/** Currencies of prices that the sandbox's business accepts. */
export const fiatCodes = (): string[] => state.overview?.business?.supportedDisplayCurrencies ?? [];

export const pairLabel = (currency: string, network: string): string =>
  currency === network ? currency : `${currency} on ${network}`;

/** List options: `BTC/BTC` and its label. */
export const pairOptions = (kind: "deposit" | "withdrawal"): [string, string][] =>
  (state.currencies ?? []).flatMap(({ currency, networks }) =>
    networks
      .filter((row) => row[kind])
      .map(({ network }): [string, string] => [`${currency}/${network}`, pairLabel(currency, network)]),
  );

/** A pair with its limits and tag rule, by its text such as `USDT/TRX`. */
export function findPair(text: string): (CurrencyNetwork & { currency: string }) | undefined {
  const [currency = "", network] = text.split("/");
  const found = state.currencies?.find((row) => row.currency === currency)?.networks.find((row) => row.network === network);
  return found && { currency, ...found };
}

const TAG_LABELS: Record<string, string> = { DESTINATION_TAG: "Destination tag", MEMO: "Memo" };

/** A network's word for its tag; empty if it has none. */
export const tagLabel = (rule: string): string | undefined => TAG_LABELS[rule];

/** A valid sample address on a network. */
export const sampleAddress = (network: string): string | undefined =>
  state.overview?.chains.find((row) => row.network === network)?.usualSender;
