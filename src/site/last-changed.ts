/** When pages last changed, for the sitemap. */
import { readChangeDays, recordPages } from "../plan/index.ts";
import type { PageReader } from "./open-site.ts";
import { siteSettings } from "./settings.ts";

/** Stores the quotes of today and the cache keys of all pages. Called before pages are rendered. */
export function storePages(stateDir: string, site: PageReader): void {
  site.storeToday();
  recordPages(stateDir, site.pages(), site.day());
}

let days: ReadonlyMap<string, string> | undefined;

/** `YYYY-MM-DD`; undefined for a page that was never stored. */
export function lastChanged(path: string): string | undefined {
  return (days ??= readChangeDays(siteSettings().stateDir)).get(path);
}
