/** Hands the search index what the site knows of each quote, one author's listing page after another. */
import type { QuoteToIndex } from "../search/blocks.ts";
import { indexSite, type SearchReport } from "../search/index-site.ts";
import type { Settings } from "../settings/settings.ts";
import { openSiteAs, type SiteReader } from "../site/index.ts";

export interface IndexHow {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** @throws {DiskError} when the index cannot be written */
export async function indexOutput(settings: Settings, how: IndexHow): Promise<SearchReport> {
  const site = openSiteAs(settings);
  try {
    const { outDir, stateDir } = settings;
    return await indexSite({ outDir, stateDir, quotes: quotesToIndex(site), ...how });
  } finally {
    site.close();
  }
}

export function* quotesToIndex(site: SiteReader): Generator<QuoteToIndex> {
  for (const { path, term, number } of site.pagesOf("author")) {
    for (const { quote, author, tags } of site.cardsOn("author", term, number)) {
      const { id, text, language } = quote;
      yield {
        id,
        text,
        author: author.name,
        language,
        tags: tags.map((tag) => tag.slug),
        curated: site.curated(id) === true,
        page: path,
      };
    }
  }
}
