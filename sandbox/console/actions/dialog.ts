import type { Values } from "../values";
import { loadCurrencies } from "../currencies";
import { type DialogName, update, updateDialog, state } from "../store";
import { previewWithdrawal } from "./money";

/** The prefix of suggested ids. */
const ID_PREFIX: Record<DialogName, string> = { new: "order", whitelist: "address", withdraw: "withdrawal" };

/** Milliseconds after the last key before the cost is previewed. */
const TYPING_PAUSE = 250;

/** Opens a form, filled in with `initial`. */
export async function openDialog(name: DialogName, initial: Values = {}): Promise<void> {
  await loadCurrencies();
  const suggestedId = `${ID_PREFIX[name]}-${Date.now().toString(36)}`;
  update({ dialog: { name, initial, values: initial, suggestedId, errors: [], preview: null } });
}

export const closeDialog = (): void => update({ dialog: null });

let typing: ReturnType<typeof setTimeout>;

/** Handles input, and previews a withdrawal once it has an amount. */
export function dialogChanged(values: Values): void {
  clearTimeout(typing);
  updateDialog({ values });
  if (state.dialog?.name !== "withdraw" || !values.targetAmount?.trim()) return;
  // The preview is a convenience: the submission reports every error.
  typing = setTimeout(() => previewWithdrawal(values).catch(() => {}), TYPING_PAUSE);
}

/** Fills in a field of the open form, as if it had been typed. */
export function fillIn(name: string, text: string): void {
  const control = document.querySelector<HTMLInputElement>(`dialog [name=${name}]`);
  if (!control) return;
  control.value = text;
  control.dispatchEvent(new Event("input", { bubbles: true }));
}
