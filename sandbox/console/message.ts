// The message at the end of the screen, announced by screen readers.
import { state, update } from "./store";

const SHOWN_MILLIS = 4_000;
/** Longer with a curl command, which takes time to reach. */
const SHOWN_WITH_CURL_MILLIS = 8_000;

let lastId = 0;

/** Shows a message. Failures stay until they are dismissed. */
export function say(text: string, { failed = false, curl = null }: { failed?: boolean; curl?: string | null } = {}): void {
  lastId += 1;
  const id = lastId;
  update({ message: { id, text, failed, curl } });
  // This element is in the page from the start: screen readers ignore live regions that are added with their text.
  document.getElementById("announcement")!.textContent = text;
  if (failed) return;
  setTimeout(
    () => {
      if (state.message?.id === id) dismiss();
    },
    curl ? SHOWN_WITH_CURL_MILLIS : SHOWN_MILLIS,
  );
}

export const dismiss = (): void => update({ message: null });
