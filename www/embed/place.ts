// Where the page of a payment stands in a merchant's page.
import { frameOf } from "./parts";

export interface Place {
  readonly element: HTMLElement;
  /**
   * `loaded` is called for each page that comes to stand here, `heard` with each message of it. Fails if the page cannot be
   * loaded.
   */
  open(loaded: () => void, heard: (data: unknown) => void, signal: AbortSignal): Promise<void>;
  /** Posts a message to the page. */
  tell(message: object): void;
  setHeight(height: number): void;
}

export class Frame implements Place {
  readonly element: HTMLIFrameElement;
  readonly #origin: string;

  /** The page leaves room for the × of a dialog by this name. */
  constructor(url: URL, title: string, name = "") {
    this.element = frameOf(url, title);
    this.element.name = name;
    this.#origin = url.origin;
  }

  async open(loaded: () => void, heard: (data: unknown) => void, signal: AbortSignal): Promise<void> {
    const isOfFrame = ({ source, origin }: MessageEvent) =>
      source && source === this.element.contentWindow && origin === this.#origin;
    addEventListener("message", (event) => isOfFrame(event) && heard(event.data), { signal });
    this.element.addEventListener("load", loaded, { signal });
  }

  tell(message: object): void {
    this.element.contentWindow?.postMessage(message, this.#origin);
  }

  setHeight(height: number): void {
    this.element.style.height = `${Math.ceil(height)}px`;
  }
}
