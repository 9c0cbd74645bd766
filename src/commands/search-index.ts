/** Hands the search index what the site knows of each quote, one author's listing page after another. */
import { listingPath } from "../plan/paths.ts";
import type { QuoteToIndex } from "../search/blocks.ts";
import { indexSite, type SearchReport } from "../search/index-site.ts";
import type { Settings } from "../settings/settings.ts";
import { openSiteAs } from "../site/open-site.ts";
import type { SiteReader } from "../site/reader.ts";

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
  for (const { slug, page } of site.listingPaths("author")) {
    const path = listingPath("author", slug, page);
    for (const { quote, author, tags } of site.listing("author", slug, page).cards) {
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
