// An amount as a cash register takes it: digits of the smallest unit.

/** More digits than any price has. */
const MOST_DIGITS = 12;

/** The digits after a press of a key: a digit, `00`, or nothing, which takes the last digit away. */
export function pressed(units: string, key: string): string {
  if (key === "") return units.slice(0, -1);
  const more = (units + key).replace(/^0+/, "");
  return more.length > MOST_DIGITS ? units : more;
}

/** The amount as the API takes it. */
export function textOf(units: string, decimals: number): string {
  const digits = units.padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
}

/** An amount of the API in the smallest unit. */
export function unitsOf(text: string, decimals: number): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, "0"));
}

/** With the code of the currency: no sign that two currencies share. */
export function money(text: string, currency: string, decimals: number, locale: string): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return `${new Intl.NumberFormat(locale, digits).format(Number(text))}\u00a0${currency}`;
}
