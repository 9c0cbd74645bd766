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

/** What a quote says of the lists it is in. */
export type Sorted = Pick<Quote, "language" | "tags">;

/** Whether a quote is asked for, as far as the quote itself says; `curated` is known to the service alone. */
export function keeps(
  selection: Pick<Selection, "languages" | "tags">,
): (quote: Sorted) => boolean {
  const languages = new Set(selection.languages);
  const wanted = new Set(selection.tags.map(fold));
  return ({ language, tags }) =>
    (languages.size === 0 || languages.has(language)) &&
    (wanted.size === 0 || tags.some((tag) => wanted.has(fold(tag))));
}

/** Whether a quote passes a list's own filter, as far as the quote itself says. */
export function passes({ language, tag }: Filter): (quote: Sorted) => boolean {
  return keeps({
    languages: language === null ? [] : [language],
    tags: tag === null ? [] : [tag],
  });
}

/** Whether quotes may be missing because fewer are asked for, in a way that quotes themselves do not show. */
export function narrowsUnseen(before: Selection | undefined, now: Selection): boolean {
  return now.curated && before?.curated !== true;
}

/** Whether a selection asks for all that another did: only then may what it brings be added to that. */
export function contains(now: Selection, before: Selection): boolean {
  const holds = (names: readonly string[], others: readonly string[]): boolean =>
    names.length === 0 ||
    (others.length > 0 && others.every((name) => names.some((one) => fold(one) === fold(name))));
  return (
    holds(now.languages, before.languages) &&
    holds(now.tags, before.tags) &&
    !narrowsUnseen(before, now)
  );
}

/** Filters of such services do not heed case. */
function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
