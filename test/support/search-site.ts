/** A site with its search index: real quotes where `REAL_QUOTES` names their folder, the embedded collection elsewhere. */
import { quotesToIndex } from "../../src/commands/search-index.ts";
import { indexSite, type SearchReport } from "../../src/search/index-site.ts";
import { embeddedCollection } from "../../src/service/collection/collection.ts";
import { buildSite, type BuiltSite } from "./build-site.ts";
import { makeSite } from "./make-site.ts";
import type { QuoteDraft } from "./make-snapshot.ts";
import { realQuotes } from "./real-quotes.ts";

export const LANGUAGES = ["en", "ru", "de", "ar", "hi"] as const;

/** How many quotes of each language; all with SEARCH_QUOTES=all. */
const MOST = process.env["SEARCH_QUOTES"] === "all" ? Infinity : 600;

/** Quotes of the five languages, from pk 1. */
export function realDrafts(most = MOST): QuoteDraft[] {
  const all =
    process.env["REAL_QUOTES"] === undefined
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

export async function buildSearchSite(
  quotes: readonly QuoteDraft[],
  variables: Readonly<Record<string, string>> = {},
): Promise<SearchSite> {
  const curated = quotes.map(({ id }) => id).filter((id) => id % 3 === 0);
  const built = await buildSite({ quotes, curated }, variables);
  const { outDir, stateDir } = built;
  const site = makeSite([], { stateDir, perPage: 50 });
  const report = await indexSite({ outDir, stateDir, quotes: quotesToIndex(site) });
  site.close();
  return { ...built, quotes, report };
}
