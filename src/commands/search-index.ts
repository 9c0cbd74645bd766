/** Indexes the finished site for its search. */
import { indexSite, type SearchReport } from "../search/index-site.ts";
import type { Settings } from "../settings/settings.ts";
import { openSiteAs } from "../site/index.ts";

export interface IndexHow {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** @throws {DiskError} when the index cannot be written */
export async function indexOutput(settings: Settings, how: IndexHow): Promise<SearchReport> {
  const { outDir, stateDir } = settings;
  const site = openSiteAs(settings);
  try {
    return await indexSite({ outDir, stateDir, curated: site.curatedIds(), ...how });
  } finally {
    site.close();
  }
}
