// The dialog around a checkout: the page behind stands still, and a payment under way is not closed by accident.
import { dialogOf, question } from "./parts";
import type { Words } from "./words";

/** The open dialogs of the page, and the page's own value of `overflow`. */
const open = new Set<object>();
let overflow = "";

export class Modal {
  readonly dialog: HTMLDialogElement;
  readonly #isUnderWay: () => boolean;
  readonly #words: Words;
  #question: HTMLElement | undefined;

  constructor(words: Words, title: string, theme: string | null | undefined, content: Node, isUnderWay: () => boolean) {
    this.#isUnderWay = isUnderWay;
    this.#words = words;
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

  #closed(): void {
    this.#question?.remove();
    this.#question = undefined;
    if (open.delete(this) && !open.size) document.documentElement.style.overflow = overflow;
  }

  /** A second attempt is an answer to the question. */
  #mayClose(): boolean {
    if (this.#question || !this.#isUnderWay()) return true;
    const stay = () => {
      this.#question?.remove();
      this.#question = undefined;
    };
    this.#question = question(this.#words, stay, () => this.dialog.close());
    this.dialog.prepend(this.#question);
    this.#question.querySelector("button")!.focus();
    return false;
  }

  /** A press beside the dialog has the dialog as its target, too. */
  #isOutside({ clientX, clientY }: MouseEvent): boolean {
    const { left, right, top, bottom } = this.dialog.getBoundingClientRect();
    return clientX < left || clientX > right || clientY < top || clientY > bottom;
  }
}
