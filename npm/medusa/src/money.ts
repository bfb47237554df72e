import type { Payment } from "@crypto-checkout/client";
import type { BigNumberInput } from "@medusajs/framework/types";
import { MathBN, MedusaError } from "@medusajs/framework/utils";

/** The fiat currencies of the gateway, with the digits of their minor units. */
const DIGITS: Record<Payment["displayCurrency"], number> = {
  EUR: 2, USD: 2, GBP: 2, CHF: 2, TRY: 2, RUB: 2, JPY: 0, PLN: 2,
  CZK: 2, SEK: 2, NOK: 2, DKK: 2, CAD: 2, AUD: 2, BRL: 2,
};

/** A rounding mode of bignumber.js, which Medusa calculates with. */
const HALF_UP = 4;

export interface Price {
  displayCurrency: Payment["displayCurrency"];
  /** A decimal text with the digits of the currency. */
  displayAmount: string;
}

/** Medusa's amount, in major units and with any number of digits, as the gateway takes it: rounded to the minor unit, half up. */
export function priceOf(amount: BigNumberInput, currencyCode: string): Price {
  const displayCurrency = currencyCode.toUpperCase() as Payment["displayCurrency"];
  const digits = DIGITS[displayCurrency];
  if (digits === undefined) {
    throw new MedusaError(MedusaError.Types.INVALID_DATA, `The gateway has no prices in ${displayCurrency}.`);
  }
  return { displayCurrency, displayAmount: MathBN.convert(amount).toFixed(digits, HALF_UP) };
}

/** What is left of a price, never below zero, with the digits of its text. */
export function missingOf(price: string, received: string[]): string {
  const digits = price.split(".")[1]?.length ?? 0;
  const left = MathBN.sub(price, MathBN.sum(...received));
  return MathBN.max(left, 0).toFixed(digits);
}
