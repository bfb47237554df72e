// In the merchant's page itself: the scripts of the page run in it, and draw into a shadow root.
import type { Place } from "../../embed/place";
import type { Here } from "./here";

type Open = (here: Here) => Promise<(message: object) => void>;

/** Each page that stands here is a module of its own, as each page of a browser is. */
let pages = 0;

export class Inline implements Place {
  readonly element = document.createElement("div");
  readonly #root = this.element.attachShadow({ mode: "open" });
  readonly #url: URL;
  readonly #folder: string;
  #running = new AbortController();
  #tell: ((message: object) => void) | undefined;

  /** `folder`: of the kit. The merchant's page runs no scripts from where else a link may lead. */
  constructor(url: URL, folder: string) {
    this.#url = url;
    this.#folder = folder;
    this.element.part.add("inline");
  }

  async open(loaded: () => void, heard: (data: unknown) => void, signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", () => this.#running.abort());
    const show = async (url: URL): Promise<void> => {
      this.#running.abort();
      const running = (this.#running = new AbortController());
      if (new URL(".", url).href !== this.#folder) throw new Error(`${url.origin}${url.pathname} is not in ${this.#folder}`);
      const { page } = await import(`${this.#folder}inline.js`);
      const { open }: { open: Open } = await page(++pages);
      const go = (to: URL) => void show(to).catch(console.error);
      if (signal.aborted || running.signal.aborted) return;
      this.#tell = await open({ root: this.#root, url, signal: running.signal, heard, go });
      loaded();
    };
    await show(this.#url);
  }

  tell(message: object): void {
    this.#tell?.(message);
  }

  /** It is as high as its content by itself. */
  setHeight(): void {}
}
