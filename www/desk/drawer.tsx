// The simulator beside the desk. Its script is no part of the desk: only a sandbox serves it.
import { useEffect, useRef } from "preact/hooks";
import { tell, tellFailure } from "./announce";
import { type Desk, reloadAll, useDesk } from "./use";

const SCRIPT = "/sandbox/drawer.js";

/** What the drawer can do to the page that it is on. */
export interface Page {
  tell: typeof tell;
  tellFailure: typeof tellFailure;
  /** Something was changed: loads what is shown. */
  changed: () => void;
  close: () => void;
}

interface Script {
  draw: (host: Element, desk: Desk, page: Page) => void;
  remove: (host: Element) => void;
}

export function Drawer({ close }: { close: () => void }) {
  const desk = useDesk();
  const host = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = host.current!;
    const script = import(SCRIPT) as Promise<Script>;
    script.then(
      ({ draw }) => draw(element, desk, { tell, tellFailure, changed: reloadAll, close }),
      (error: Error) => tellFailure(`The simulator was not loaded: ${error.message}`),
    );
    return () => void script.then(({ remove }) => remove(element));
  }, [desk.business]);
  return <aside id="drawer" class="drawer" aria-label="Simulator" ref={host} />;
}
