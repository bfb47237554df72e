// The dialog around a checkout: the page behind stands still, and a payment under way is not closed by accident.
import { dialogOf, question } from "./parts";
import type { Words } from "./words";

/** The open dialogs of the page, and the page's own value of `overflow`. */
const open = new Set<object>();
let overflow = "";

export class Modal {
  readonly dialog: HTMLDialogElement;
  readonly #content: HTMLElement;
  readonly #isUnderWay: () => boolean;
  readonly #words: Words;
  #question: HTMLElement | undefined;

  constructor(words: Words, title: string, theme: string | null | undefined, content: HTMLElement, isUnderWay: () => boolean) {
    this.#isUnderWay = isUnderWay;
    this.#words = words;
    this.#content = content;
    this.dialog = dialogOf(words, title, theme, content, () => this.leave());
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog && this.#isOutside(event)) this.leave();
    });
    this.dialog.addEventListener("cancel", (event) => {
      if (event.target === this.dialog && !this.#mayClose()) event.preventDefault();
    });
    this.dialog.addEventListener("close", () => this.#closed());
  }

  open(): void {
    if (this.dialog.open) return;
    this.dialog.showModal();
    const { style } = document.documentElement;
    if (!open.size) overflow = style.overflow;
    open.add(this);
    style.overflow = "hidden";
  }

  /** However the customer asks for it. */
  leave(): void {
    if (this.#mayClose()) this.dialog.close();
  }

  /** Of an element that is taken away. */
  stop(): void {
    this.dialog.close();
    this.#closed();
  }

  /** The page waits for the answer. */
  #ask(question?: HTMLElement): void {
    this.#question?.remove();
    this.#question = question;
    this.#content.inert = !!question;
  }

  #closed(): void {
    this.#ask();
    if (open.delete(this) && !open.size) document.documentElement.style.overflow = overflow;
  }

  /** A second attempt is an answer to the question. */
  #mayClose(): boolean {
    if (this.#question || !this.#isUnderWay()) return true;
    const asked = question(this.#words, () => this.#ask(), () => this.dialog.close());
    this.#ask(asked);
    this.dialog.prepend(asked);
    asked.querySelector("button")!.focus();
    return false;
  }

  /** A press beside the dialog has the dialog as its target, too. */
  #isOutside({ clientX, clientY }: MouseEvent): boolean {
    const { left, right, top, bottom } = this.dialog.getBoundingClientRect();
    return clientX < left || clientX > right || clientY < top || clientY > bottom;
  }
}
