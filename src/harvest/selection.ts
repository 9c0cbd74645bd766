/** Turns a selection into filters of lists to walk, and checks records against it: a service may ignore a filter. */
import type { Quote } from "../contract/quote.ts";
import { EVERYTHING, type Filter, type Selection } from "../contract/window.ts";

/** One filter for each language and tag: the service combines several tags with "and", a selection means "or". */
export function filtersOf({ languages, tags, curated }: Selection): Filter[] {
  const each = <T>(values: readonly T[]): readonly (T | null)[] =>
    values.length === 0 ? [null] : [...new Set(values)];
  return each(languages).flatMap((language) =>
    each(tags).map((tag) => ({ ...EVERYTHING, language, tag, curated })),
  );
}

/** The fields of a quote that decide which lists contain it. */
type Attributes = Pick<Quote, "language" | "tags">;

/** Whether a quote passes a selection, except for `curated`, which only the service knows. */
export function keeps(
  selection: Pick<Selection, "languages" | "tags">,
): (quote: Attributes) => boolean {
  const languages = new Set(selection.languages.map(fold));
  const wanted = new Set(selection.tags.map(fold));
  // Who selects "en" means also "en-US".
  const hasLanguage = (code: string): boolean =>
    languages.has(code) || languages.has(code.replace(/-.*/, ""));
  return ({ language, tags }) =>
    (languages.size === 0 || hasLanguage(fold(language))) &&
    (wanted.size === 0 || tags.some((tag) => wanted.has(fold(tag))));
}

/** Whether a quote passes the filter of a list, except for `curated`, which only the service knows. */
export function passes({ language, tag }: Filter): (quote: Attributes) => boolean {
  return keeps({
    languages: language === null ? [] : [language],
    tags: tag === null ? [] : [tag],
  });
}

/** Whether a selection is newly curated: then records do not show why quotes are missing. */
export function becomesCurated(before: Selection | undefined, now: Selection): boolean {
  return now.curated && before?.curated !== true;
}

/** Whether a selection contains another: only then may its quotes be added to a snapshot of the other. */
export function contains(now: Selection, before: Selection): boolean {
  const holds = (names: readonly string[], others: readonly string[]): boolean =>
    names.length === 0 ||
    (others.length > 0 && others.every((name) => names.some((one) => fold(one) === fold(name))));
  return (
    holds(now.languages, before.languages) &&
    holds(now.tags, before.tags) &&
    !becomesCurated(before, now)
  );
}

/** Folds case, which such services ignore in filters. */
function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
