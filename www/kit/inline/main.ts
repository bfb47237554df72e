// The page of the kit in the shadow root of a merchant's page. The build gives all scripts of it `here.ts` in the place of the
// browser's window.
import { MAIN, STYLE } from "kit-facts";
import { type Here, document, settle, tell, visit } from "./here";

/** Draws the page, and starts it. Returns what posts a message to it. */
export async function open(here: Here): Promise<typeof tell> {
  settle(here);
  const { root, url, signal } = here;
  root.innerHTML = `<link rel="stylesheet"><div class="page" data-theme="AUTO" data-live="no"><div class="body">
    <div id="checkout">${MAIN}</div></div></div><script type="application/json" id="checkout-data">{"found":{}}</script>`;
  await styled(root.querySelector("link")!, new URL(STYLE, url).href);
  const page = document.documentElement;
  // The size that the visitor has chosen. `rem` is the merchant's.
  page.style.setProperty("--rem", getComputedStyle(page).fontSize);
  root.addEventListener("click", followHere, { signal });
  await import("../../checkout.js");
  return tell;
}

function styled(link: HTMLLinkElement, address: string): Promise<unknown> {
  return new Promise((done, fail) => {
    link.onload = done;
    link.onerror = () => fail(new Error(`${address} does not load`));
    link.href = address;
  });
}

/** A link of the page is one to its own address, not to that of the merchant's page. */
function followHere(event: Event): void {
  const link = (event.target as Element).closest("a[href]:not([target])");
  if (!link) return;
  event.preventDefault();
  visit(link.getAttribute("href")!);
}
