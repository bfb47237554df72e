// What a callback is about, as its body says.
import { coins, money } from "./format";

export interface About {
  /** The merchant's id of the payment or the withdrawal. */
  order: string;
  href: string;
  amount: string;
}

/** The fields of the bodies that name it; a typed event has them in `data`. */
interface Facts {
  paymentId?: string;
  clientPaymentId?: string;
  withdrawalId?: string;
  withdrawId?: string;
  clientWithdrawalId?: string;
  clientWithdrawId?: string;
  depositAmount?: string | number;
  actualDepositAmount?: string | number;
  depositCurrency?: string;
  actualWithdrawAmount?: string | number;
  estimatedWithdrawAmount?: string | number;
  withdrawCurrency?: string;
  amount?: string;
  currency?: string;
  expectedDisplayAmount?: string;
  displayCurrency?: string;
}

export function aboutOf(body: string): About | undefined {
  const facts = factsOf(body);
  const order = facts?.clientPaymentId ?? facts?.clientWithdrawalId ?? facts?.clientWithdrawId;
  if (!facts || !order) return undefined;
  const place = facts.paymentId ? `payments/${facts.paymentId}` : `withdrawals/${facts.withdrawalId ?? facts.withdrawId}`;
  return { order, href: `#/${place}`, amount: amountOf(facts) };
}

function factsOf(body: string): Facts | undefined {
  try {
    const read = JSON.parse(body) as Facts & { data?: Facts };
    return read.data ?? read;
  } catch {
    return undefined;
  }
}

function amountOf(facts: Facts): string {
  const moved: [string | number | undefined, string | undefined][] = [
    [facts.depositAmount ?? facts.actualDepositAmount, facts.depositCurrency],
    [facts.actualWithdrawAmount ?? facts.estimatedWithdrawAmount, facts.withdrawCurrency],
    [facts.amount, facts.currency],
  ];
  const [amount, currency] = moved.find(([amount, currency]) => amount !== undefined && currency) ?? [];
  if (currency) return coins(String(amount), currency);
  return facts.expectedDisplayAmount && facts.displayCurrency ? money(facts.expectedDisplayAmount, facts.displayCurrency) : "–";
}
