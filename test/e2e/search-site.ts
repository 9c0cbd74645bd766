/** A site with its search index: real quotes where `REAL_QUOTES` names their folder, the embedded collection elsewhere. */
import { indexSite, type SearchReport } from "../../src/search/index-site.ts";
import { embeddedCollection } from "../../src/service/collection.ts";
import { buildSite, type BuiltSite } from "../support/built/index.ts";
import { type QuoteDraft, realQuotes } from "../support/snapshot/index.ts";

export const LANGUAGES = ["en", "ru", "de", "ar", "hi"] as const;

/** How many quotes of each language; all with SEARCH_QUOTES=all. */
const MOST = process.env["SEARCH_QUOTES"] === "all" ? Infinity : 600;

export function searchedQuotes(most = MOST): QuoteDraft[] {
  const all =
    (process.env["REAL_QUOTES"] ?? "") === ""
      ? embeddedCollection()
      : realQuotes().map((quote, index) => ({ ...quote, pk: index + 1, likes: index % 97 }));
  const counts = new Map<string, number>();
  const drafts: QuoteDraft[] = [];
  for (const { pk, quote, author, tags, language, likes } of all) {
    const count = counts.get(language) ?? 0;
    if (!LANGUAGES.some((known) => known === language) || count >= most) continue;
    counts.set(language, count + 1);
    drafts.push({ id: pk, text: quote, author: author || null, tags, language, likes });
  }
  return drafts;
}

export interface SearchSite extends BuiltSite {
  readonly quotes: readonly QuoteDraft[];
  readonly report: SearchReport;
}

/** @param curated ids; every third quote by default */
export async function buildSearchSite(
  quotes: readonly QuoteDraft[],
  variables: Readonly<Record<string, string>> = {},
  curated = quotes.map(({ id }) => id).filter((id) => id % 3 === 0),
): Promise<SearchSite> {
  const built = await buildSite({ quotes, curated }, variables);
  const report = await indexSite({ ...built, curated });
  return { ...built, quotes, report };
}

/** Every n-th, so that a run asks what the last one asked. */
export const spread = <T>(items: readonly T[], many: number): T[] =>
  items
    .filter((_, index) => index % Math.max(1, Math.floor(items.length / many)) === 0)
    .slice(0, many);
