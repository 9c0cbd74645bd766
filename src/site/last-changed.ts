/** Since when pages show what they show. */
import { changeDays, noteWritten } from "../plan/index.ts";
import type { SiteReader } from "./open-site.ts";
import { siteSettings } from "./settings.ts";

/** Keeps the quotes of today and notes the pages of a site, before they are rendered. */
export function notePages(stateDir: string, site: SiteReader): void {
  site.keepToday();
  noteWritten(stateDir, site.pages(), site.day());
}

let days: ReadonlyMap<string, string> | undefined;

/** `YYYY-MM-DD`; undefined for a page that was never noted. */
export function lastChanged(path: string): string | undefined {
  return (days ??= changeDays(siteSettings().stateDir)).get(path);
}
