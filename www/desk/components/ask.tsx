// An act with a button that asks once more, and says what it means.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "./dialog";
import { Form } from "./form";
import { Icon } from "./icon";

interface AskProps {
  label: string;
  icon?: string;
  isGrave?: boolean;
  title: string;
  /** Of the button that does it. */
  button: string;
  part: string;
  act: (values: Record<string, string>) => Promise<void>;
  /** What it means, and fields. */
  children: (errorOf: (name: string) => string | undefined) => ComponentChildren;
}

export function Ask({ label, icon, isGrave, title, button, part, act, children }: AskProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const submit = async (values: Record<string, string>) => {
    await act(values);
    close();
  };
  return (
    <>
      <button type="button" class={isGrave ? "act plain danger" : "act plain"} data-part={part} onClick={() => setOpen(true)}>
        {icon && <Icon name={icon} />}
        <span>{label}</span>
      </button>
      {isOpen && (
        <Dialog title={title} part={`${part}-dialog`} close={close}>
          <Form submit={submit} button={button} isGrave={isGrave} part={`${part}-sure`} cancel={close}>
            {children}
          </Form>
        </Dialog>
      )}
    </>
  );
}
