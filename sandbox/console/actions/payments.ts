import { get, post } from "../api";
import type { Values } from "../values";
import type { PaymentSummary } from "../model";
import { isFullPage, listPath } from "../poll";
import { state, update } from "../store";

/** Creates the payment, and chooses for the payer if the form has a currency. */
export async function createPayment({ pair, expirationMinutes, ...texts }: Values): Promise<string> {
  const body: Record<string, unknown> = { locale: "en-US", ...filled(texts) };
  if (expirationMinutes && body.type !== "REUSABLE") body.expirationMinutes = Number(expirationMinutes);
  const { paymentInfo } = await post<{ paymentInfo: { paymentId: string } }>("/sandbox/payments", body);
  const { paymentId } = paymentInfo;
  if (pair) await choose(paymentId, pair);
  update({ dialog: null });
  location.hash = `#/payments/${paymentId}`;
  return "The payment was created";
}

/** The fields that are filled in. */
export const filled = (values: Values): Values => Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ""));

/** Chooses currency and network for the payer. */
export async function choose(paymentId: string, pair: string): Promise<string> {
  const [depositCurrency, network] = pair.split("/");
  await post(`/sandbox/payments/${paymentId}/choice`, { depositCurrency, network });
  return `Chose ${depositCurrency} on ${network}`;
}

export function setFilter(status: string, search: string): void {
  update({ status, search: search.trim(), payments: null, olderPayments: [] });
}

export async function clearFilter(): Promise<void> {
  setFilter("", "");
  document.querySelector<HTMLFormElement>(".filter")?.reset();
}

export async function loadOlder(): Promise<void> {
  const last = [...(state.payments ?? []), ...state.olderPayments].at(-1);
  const older = await get<PaymentSummary[]>(listPath(last?.paymentId));
  update({ olderPayments: [...state.olderPayments, ...older], hasOlderPayments: isFullPage(older) });
}
