// The wallets that announce themselves (EIP-6963, TIP-6963). What they say of themselves is shown as text and as images of the page itself.

export interface Provider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>;
}

/** The part of the library that a wallet on TRON puts into its provider (TIP-1193). */
export interface TronWeb {
  defaultAddress?: { base58?: unknown };
  trx: { sign(transaction: unknown): Promise<unknown> };
}

export interface Wallet {
  name: string;
  icon: string | undefined;
  provider: Provider & { tronWeb?: TronWeb | false };
  isTron: boolean;
}

/** Of more, nobody chooses. */
const MOST = 8;
/** https://github.com/tronprotocol/tips/blob/master/tip-6963.md */
const TRON = "TIP6963";
const LONGEST_NAME = 32;
const LONGEST_ICON = 100_000;
const ICON = /^data:image\/(?:svg\+xml|png|webp|jpeg|gif)[;,]/;

/** Hands over all wallets that are known each time that another one announces itself. */
export const listen = (changed: (wallets: readonly Wallet[]) => void): void => {
  const wallets = new Map<string, Wallet>();
  for (const standard of ["eip6963", TRON]) {
    addEventListener(`${standard}:announceProvider`, (event) => {
      const [id, wallet] = read(event, standard === TRON) ?? [];
      const key = `${standard} ${id}`;
      const among = [...wallets.values()].filter(({ isTron }) => isTron === wallet?.isTron);
      if (!id || !wallet || among.length >= MOST || wallets.has(key)) return;
      wallets.set(key, wallet);
      changed([...wallets.values()]);
    });
    dispatchEvent(new Event(`${standard}:requestProvider`));
  }
};

/** Anything may be in the event of another script. */
const read = (event: Event, isTron: boolean): [string, Wallet] | undefined => {
  try {
    const { info, provider } = (event as CustomEvent).detail;
    const name = plain(String(info.name));
    if (!name || typeof provider.request !== "function") return undefined;
    return [String(info.uuid), { name, icon: image(info.icon), provider, isTron }];
  } catch {
    return undefined;
  }
};

/** Without characters that have no place or change the direction of the text. */
const plain = (name: string): string => {
  const seen = [...name.replace(/\p{C}+/gu, "").trim()];
  return seen.length > LONGEST_NAME ? [...seen.slice(0, LONGEST_NAME - 1), "…"].join("") : seen.join("");
};

const image = (icon: unknown): string | undefined =>
  typeof icon === "string" && icon.length <= LONGEST_ICON && ICON.test(icon) ? icon : undefined;
