// A dialog over the page. The browser keeps the focus inside and closes it by Escape.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "./icon";

interface DialogProps {
  title: string;
  part: string;
  close: () => void;
  children: ComponentChildren;
}

export function Dialog({ title, part, close, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const label = useId();
  useEffect(() => {
    const dialog = element.current!;
    const opener = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      setTimeout(() => giveBack(opener));
    };
  }, []);
  return (
    <dialog class="sheet" aria-labelledby={label} ref={element} onClose={close} data-part={part}>
      <div class="sheet-form">
        <header class="sheet-head">
          <h2 id={label}>{title}</h2>
          <button type="button" class="mini" aria-label="Close" onClick={close} data-part="dialog-close">
            <Icon name="cross" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** To what opened the dialog, or to the page if the act removed that. */
function giveBack(opener: Element | null): void {
  if (document.querySelector("dialog[open]")) return;
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus();
  else document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
}
