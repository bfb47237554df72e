// The texts of a language, which the module takes from the data of its page.
import { TEXTS } from "kit-facts";
import { inTime } from "./in_time";

const FALLBACK = "en-US";

const partOf = (tag: string) => tag.split("-")[0]!.toLowerCase();

/** The language of the first locale that there is, or of the same language elsewhere; or English. */
export function languageOf(locales: readonly (string | null | undefined)[]): string {
  const tags = Object.keys(TEXTS);
  for (const locale of locales) {
    if (!locale) continue;
    const exact = tags.find((tag) => tag.toLowerCase() === locale.toLowerCase());
    const found = exact ?? tags.find((tag) => partOf(tag) === partOf(locale));
    if (found) return found;
  }
  return FALLBACK;
}

/** Reads the texts, and sets the language of the page. */
export async function textsFor(locales: readonly (string | null | undefined)[]): Promise<{ tag: string; texts: string[] }> {
  const tag = languageOf(locales);
  const { dir, texts } = await inTime(async (signal) => (await globalThis.fetch(TEXTS[tag]!, { signal })).json());
  Object.assign(document.documentElement, { lang: tag, dir });
  return { tag, texts };
}
