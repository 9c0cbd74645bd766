/** A site of given quotes: a published snapshot, its plan, and the reader that pages have. */
import { openSiteWith, type SiteOptions, type PageReader } from "../../../src/site/index.ts";
import { makeSnapshot, type QuoteDraft, type SnapshotDraft } from "../snapshot/index.ts";
import type { PictureLookup } from "../../../src/images/lookup.ts";

export function makeSite(
  quotes: Iterable<QuoteDraft>,
  options: Partial<SiteOptions> = {},
  draft: Omit<SnapshotDraft, "quotes"> = {},
): PageReader {
  const stateDir = options.stateDir ?? makeSnapshot({ ...draft, quotes }).stateDir;
  return openSiteWith({ perPage: 3, language: "en", date: "2026-11-21", ...options, stateDir });
}

export function cacheKeysOf(site: PageReader): Record<string, string> {
  return Object.fromEntries(Array.from(site.pages(), ({ path, cacheKey }) => [path, cacheKey]));
}

/** A stand-in of one size for every address: enough to tell pictures apart. */
export function standIns(size: number): PictureLookup {
  return {
    picture: (address) =>
      address === null ? null : { kind: "stand-in", width: size, height: size },
    key: String(size),
    lastRun: () => ({ shown: 0, reasons: {} }),
    close: () => undefined,
  };
}
