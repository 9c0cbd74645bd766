/** A site with its search index, of real quotes where they are present: some of each of five languages. */
import { quotesToIndex } from "../../src/commands/search-index.ts";
import { indexSite, type SearchReport } from "../../src/search/index-site.ts";
import { buildSite, type BuiltSite } from "./build-site.ts";
import { makeSite } from "./make-site.ts";
import type { QuoteDraft } from "./make-snapshot.ts";
import { realQuotes } from "./real-quotes.ts";

export const LANGUAGES = ["en", "ru", "de", "ar", "hi"] as const;

/** How many quotes of each language; all with SEARCH_QUOTES=all. */
const MOST = process.env["SEARCH_QUOTES"] === "all" ? Infinity : 600;

export function realDrafts(most = MOST): QuoteDraft[] {
  const counts = new Map<string, number>();
  const drafts: QuoteDraft[] = [];
  for (const [index, { quote, author, tags, language }] of realQuotes().entries()) {
    const count = counts.get(language) ?? 0;
    if (!LANGUAGES.some((known) => known === language) || count >= most) continue;
    counts.set(language, count + 1);
    const name = author === "" ? null : author;
    drafts.push({ id: index + 1, text: quote, author: name, tags, language, likes: index % 97 });
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
