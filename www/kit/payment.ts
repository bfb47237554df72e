// A payment as other servers write it, read for the page.

export type Facts = Record<string, any>;

/** A text of JSON, or a number with all its digits. */
const TOKEN = /"(?:\\.|[^"\\])*"|-?\d[\d.eE+-]*/g;

/** The fields that are whole numbers: times in seconds, minutes, and numbers of blocks. */
const IS_WHOLE = /(?:At|Minutes|onfirmations)$/;

/**
 * Reads JSON. An amount is a text, also where the server wrote a number, which keeps its own digits: as a float it could be
 * another amount. A time is a number, also where the server wrote a text. What is null or empty is missing.
 */
export function parse(text: string): any {
  const exact = text.replace(TOKEN, (token) => (token.startsWith('"') ? token : `"${token}"`));
  return JSON.parse(exact, (name, value) => {
    if (value === null || value === "") return undefined;
    if (typeof value !== "string" || !IS_WHOLE.test(name)) return value;
    const number = Math.floor(Number(value));
    // What is no number stays, and is refused: as a missing time it would say something else.
    return Number.isFinite(number) ? number : value;
  });
}

/** What a server may leave out, because it decides nothing. */
const PAYMENT = { processorType: "BLOCKCHAIN", locale: "en-US", deposits: [] };
const DEPOSIT = { fromAddress: "", onChainFee: "0" };

/** The payment of an answer, with or without its wrapper. */
export function paymentOf(answer: Facts): Facts {
  const payment: Facts = { ...PAYMENT, ...(answer["paymentInfo"] ?? answer) };
  // Deposits had no status at first.
  const status = /^(?:DEPOSITED|OVERPAID)$/.test(payment["status"]) ? "CONFIRMED" : "UNCONFIRMED";
  const deposits: Facts[] = payment["deposits"].map((deposit: Facts) => ({ ...DEPOSIT, status, ...deposit }));
  const coins = deposits.filter((deposit) => deposit["depositCurrency"] === payment["depositCurrency"]);
  const received = { actualDepositAmount: sum(coins, "depositAmount"), actualDisplayAmount: sum(deposits, "displayAmount") };
  return { ...received, ...payment, deposits };
}

/** The sum of decimal texts, exact. */
function sum(deposits: readonly Facts[], name: string): string {
  const parts = deposits.map((deposit) => String(deposit[name]).split("."));
  const places = Math.max(0, ...parts.map(([, fraction = ""]) => fraction.length));
  const total = parts.reduce((total, [whole, fraction = ""]) => total + BigInt(whole + fraction.padEnd(places, "0")), 0n);
  const digits = String(total).padStart(places + 1, "0");
  return places ? `${digits.slice(0, -places)}.${digits.slice(-places)}` : digits;
}

/** What the page shows of a deposit beyond the interface, as far as it follows from the payment and the pairs. */
export function transferOf(deposit: Facts, payment: Facts, pairs: readonly string[]): Facts {
  const [only, ...others] = pairs.filter((pair) => pair.startsWith(`${deposit["depositCurrency"]}.`));
  const isQuoted = deposit["depositCurrency"] === payment["depositCurrency"] && deposit["toAddress"] === payment["walletAddress"];
  const network = isQuoted ? payment["expectedNetwork"] : undefined;
  return {
    depositId: deposit["id"],
    network: network ?? (others.length === 0 ? only?.split(".")[1] : undefined) ?? "",
    followUp: deposit["refund"]?.reason === "FOLLOW_UP_DEPOSIT",
  };
}
