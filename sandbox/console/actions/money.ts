import { post, postUnrecorded } from "../api";
import type { Values } from "../values";
import { shorten } from "../../../www/desk/format";
import type { FieldError, Withdrawal } from "../model";
import { state, update, updateDialog } from "../store";

const trimmed = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : [])));

export async function release(depositId: string): Promise<string> {
  await post(`/sandbox/deposits/${depositId}/release`);
  return "Released: the deposit is credited and its callback is sent";
}

export async function refuse(depositId: string): Promise<string> {
  await post(`/sandbox/deposits/${depositId}/refuse`);
  return "Refused: the deposit is not part of its payment, and no callback is sent";
}

export async function whitelistAddress({ pair = "", ...texts }: Values): Promise<string> {
  const [currency, network] = pair.split("/");
  await post("/sandbox/whitelist", { currency, network, ...trimmed(texts) });
  update({ dialog: null });
  return "The address is whitelisted";
}

/** The request of the form. Its amount is in the coin or in a fiat currency. */
function withdrawalRequest({ pair = "", unit = "", ...texts }: Values): object {
  const [withdrawCurrency, network] = pair.split("/");
  const inCoin = unit === "CRYPTO";
  const displayCurrency = inCoin ? state.overview?.business?.settlementFiatCurrency : unit;
  return { withdrawCurrency, network, targetAmountPolicy: inCoin ? "CRYPTO" : "FIAT", displayCurrency, ...trimmed(texts) };
}

export async function withdraw(values: Values): Promise<string> {
  const made = await post<Withdrawal>("/sandbox/withdrawals", withdrawalRequest(values));
  update({ dialog: null });
  return `${made.estimatedWithdrawAmount} ${made.withdrawCurrency} go to ${shorten(made.recipientAddress, 6)}`;
}

/** Previews the cost of the withdrawal in the form. Empty fields are not reported as errors. */
export async function previewWithdrawal(values: Values): Promise<void> {
  const path = "/sandbox/withdrawals/preview";
  const { withdrawal, errors } = await postUnrecorded<{ withdrawal: Withdrawal | null; errors: FieldError[] }>(
    path,
    withdrawalRequest(values),
  );
  if (state.dialog?.values !== values) return; // typed on meanwhile
  const relevant = errors.filter(({ pointer, code }) => code !== "required" && values[pointer.slice(1)] !== "");
  updateDialog({ preview: withdrawal, errors: relevant });
}
