import type { FunctionComponent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { closeDialog, dialogChanged } from "../actions/dialog";
import { whitelistAddress, withdraw } from "../actions/money";
import { createPayment } from "../actions/payments";
import { Form } from "../components/form";
import type { Values } from "../values";
import { Icon } from "../../../www/desk/components/icon";
import { type Dialog as DialogState, type DialogName, state } from "../store";
import { NewPayment } from "./new_payment";
import { WhitelistAddress } from "./whitelist_address";
import { Withdraw } from "./withdraw";

interface Content {
  title: string;
  Fields: FunctionComponent<{ dialog: DialogState }>;
  submit: (values: Values) => Promise<string>;
  submitLabel: string;
  submitPart: string;
  /** Field names in the request that differ from the names of controls. */
  requestFields: string[];
}

const CONTENT: Record<DialogName, Content> = {
  new: {
    title: "New payment",
    Fields: NewPayment,
    submit: createPayment,
    submitLabel: "Create",
    submitPart: "create",
    requestFields: ["depositCurrency", "network"],
  },
  whitelist: {
    title: "Whitelist an address",
    Fields: WhitelistAddress,
    submit: whitelistAddress,
    submitLabel: "Add it",
    submitPart: "whitelist-it",
    requestFields: ["currency", "network"],
  },
  withdraw: {
    title: "Withdraw",
    Fields: Withdraw,
    submit: withdraw,
    submitLabel: "Withdraw",
    submitPart: "withdraw-it",
    requestFields: ["withdrawCurrency", "network", "displayCurrency", "targetAmountPolicy"],
  },
};

export function Dialog() {
  const { dialog } = state;
  const element = useRef<HTMLDialogElement>(null);
  const isOpen = dialog !== null;
  useEffect(() => {
    if (isOpen) element.current?.showModal();
    else element.current?.close();
  }, [isOpen]);
  return (
    <dialog class="sheet" aria-labelledby="dialog-title" ref={element} onClose={closeDialog}>
      {dialog && <DialogForm key={dialog.suggestedId} dialog={dialog} />}
    </dialog>
  );
}

function DialogForm({ dialog }: { dialog: DialogState }) {
  const { title, Fields, submit, submitLabel, submitPart } = CONTENT[dialog.name];
  return (
    <Form class="sheet-form" name={dialog.name} submit={submit} onInput={dialogChanged}>
      <header class="sheet-head">
        <h2 id="dialog-title">{title}</h2>
        <button type="button" class="act mini" data-do="close" onClick={closeDialog}>
          <Icon name="cross" />
          <span class="offscreen">Close</span>
        </button>
      </header>
      <GeneralErrors dialog={dialog} />
      <div class="grid">
        <Fields dialog={dialog} />
      </div>
      <footer class="sheet-foot">
        <button type="button" class="act plain" onClick={closeDialog}>
          Cancel
        </button>
        <button class="act primary" data-part={submitPart} aria-disabled={state.busy.has(dialog.name) ? "true" : undefined}>
          {submitLabel}
        </button>
      </footer>
    </Form>
  );
}

/** Errors that belong to no field. */
function GeneralErrors({ dialog }: { dialog: DialogState }) {
  const controls = [...document.querySelectorAll<HTMLInputElement>("dialog [name]")].map(({ name }) => name);
  const shown = new Set([...controls, ...CONTENT[dialog.name].requestFields]);
  return (
    <>
      {dialog.errors
        .filter(({ pointer }) => !shown.has(pointer.slice(1)))
        .map(({ pointer, detail }) => (
          <p class="field-fault" role="alert" data-part="fault" key={pointer}>
            {pointer ? `${pointer.slice(1)} ${detail}` : detail}
          </p>
        ))}
    </>
  );
}
