import icons from "icons";

/** A decorative icon next to a text with the same meaning. */
export const Icon = ({ name, kind = "sign" }: { name: string; kind?: "sign" | "coin" }) => (
  <span class={kind} dangerouslySetInnerHTML={{ __html: icons[name] ?? "" }} />
);

export const CoinIcon = ({ currency }: { currency: string }) => <Icon name={currency.toLowerCase()} kind="coin" />;

export const NetworkIcon = ({ network }: { network: string }) => <Icon name={`net-${network.toLowerCase()}`} kind="coin" />;
