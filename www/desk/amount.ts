// Exact sums of decimal texts.

/** Every coin has at least as many decimals. */
const DECIMALS = 6;

function parsed(amount: string): { atoms: bigint; decimals: number } {
  const [whole = "0", fraction = ""] = amount.split(".");
  const decimals = Math.max(DECIMALS, fraction.length);
  return { atoms: BigInt(whole + fraction.padEnd(decimals, "0")), decimals };
}

function text(atoms: bigint, decimals: number): string {
  const digits = atoms.toString().padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, "");
}

/** A fraction of an amount, rounded down, and never nothing. */
export function times(amount: string, by: bigint, of: bigint): string {
  const { atoms, decimals } = parsed(amount);
  const part = (atoms * by) / of;
  return text(part > 0n ? part : 1n, decimals);
}

/** Both in atoms of the finer one. */
function scaled(a: string, b: string): { one: bigint; other: bigint; decimals: number } {
  const [one, other] = [parsed(a), parsed(b)];
  const decimals = Math.max(one.decimals, other.decimals);
  const scale = ({ atoms, decimals: own }: typeof one) => atoms * 10n ** BigInt(decimals - own);
  return { one: scale(one), other: scale(other), decimals };
}

export function sum(a: string, b: string): string {
  const { one, other, decimals } = scaled(a, b);
  return text(one + other, decimals);
}

/** `a` less `b`; `undefined` if nothing is left. */
export function rest(a: string, b: string): string | undefined {
  const { one, other, decimals } = scaled(a, b);
  return one > other ? text(one - other, decimals) : undefined;
}
