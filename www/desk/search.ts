// What a customer says: an order, an id, an address, a transaction, an amount, words of the description.
import type { Payment } from "gateway-api";
import { gateway, get, query } from "./api";
import { Problem } from "./problem";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const SIGNS: Record<string, string> = { "€": "EUR", $: "USD", "£": "GBP", "¥": "JPY" };

const AMOUNT = /^([€$£¥]|[A-Za-z]{3,5})?\s*([\d.,'\u00a0 ]*\d)\s*([€$£¥]|[A-Za-z]{3,5})?$/;

/** `25,00 €` and `EUR 25.00` as the API has them: `25.00 EUR`. `null` if it is no amount. */
export function amountOf(text: string): string | null {
  const [, before, digits, behind] = AMOUNT.exec(text.trim()) ?? [];
  if (!digits || (before && behind)) return null;
  const sign = before ?? behind;
  const number = numberOf(digits.replace(/['\s\u00a0]/g, ""));
  const code = sign && (SIGNS[sign] ?? sign.toUpperCase());
  return code ? `${number} ${code}` : number;
}

/** The last separator is that of the decimals, unless it is there twice or stands before three digits with another one. */
function numberOf(digits: string): string {
  const last = Math.max(digits.lastIndexOf("."), digits.lastIndexOf(","));
  if (last < 0) return digits;
  const sign = digits[last]!;
  const isThousands = digits.indexOf(sign) !== last;
  if (isThousands) return digits.replace(/[.,]/g, "");
  return `${digits.slice(0, last).replace(/[.,]/g, "")}.${digits.slice(last + 1)}`;
}

/** Asks by everything that the text can be. What it cannot be is refused by the gateway, and is no result. */
export async function find(business: string, search: string): Promise<Payment[]> {
  const list = (name: string, value: string) =>
    get<Payment[]>(gateway(`/api/v1/payments?${query({ businessId: business, [name]: value })}`));
  const asked = ["clientPaymentId", "address", "transactionId", "description"].map((name) => list(name, search));
  const amount = amountOf(search);
  if (amount) asked.push(list("amount", amount));
  if (search.includes(":")) asked.push(list("metadata", search));
  if (UUID.test(search)) asked.push(get<Payment>(gateway(`/api/v1/payments/${search}`)).then((payment) => [payment]));
  const answers = await Promise.allSettled(asked);
  const found = new Map<string, Payment>();
  for (const answer of answers) {
    if (answer.status === "fulfilled") for (const payment of answer.value) found.set(payment.paymentId, payment);
    else if (!(answer.reason instanceof Problem && [404, 422].includes(answer.reason.status))) throw answer.reason;
  }
  return [...found.values()];
}
