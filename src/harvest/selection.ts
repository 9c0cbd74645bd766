/**
 * The selection as lists to walk, and as a check on what comes back: a service may ignore a filter without a word.
 */
import type { Quote } from "../contract/quote.ts";
import { EVERYTHING, type Filter, type Selection } from "../contract/window.ts";

/**
 * One filter for each language and tag asked for: the service joins several tags with "and", we mean "or".
 */
export function filtersOf({ languages, tags, curated }: Selection): Filter[] {
  const each = <T>(values: readonly T[]): readonly (T | null)[] =>
    values.length === 0 ? [null] : [...new Set(values)];
  return each(languages).flatMap((language) =>
    each(tags).map((tag) => ({ ...EVERYTHING, language, tag, curated })),
  );
}

/** Whether a quote is asked for, as far as the quote itself tells; `curated` is known to the service alone. */
export function keeps({ languages, tags }: Selection): (quote: Quote) => boolean {
  const wantedLanguages = new Set(languages);
  const wantedTags = new Set(tags.map(fold));
  return (quote) =>
    (wantedLanguages.size === 0 || wantedLanguages.has(quote.language)) &&
    (wantedTags.size === 0 || quote.tags.some((tag) => wantedTags.has(fold(tag))));
}

/** Filters of such services do not heed case. */
function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
