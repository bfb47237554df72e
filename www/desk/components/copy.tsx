import { tell, tellFailure } from "../announce";
import { Icon } from "./icon";

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell("Copied");
  } catch (error) {
    tellFailure(`Nothing was copied: ${(error as Error).message}`);
  }
}

/** A small button that copies `text`; `what` names it, such as "the address". */
export const CopyButton = ({ text, what }: { text: string; what: string }) => (
  <button type="button" class="mini" aria-label={`Copy ${what}`} title={`Copy ${what}`} onClick={() => void copy(text)}>
    <Icon name="copy" />
  </button>
);
