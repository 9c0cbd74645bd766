/** Since when pages show what they show. */
import { WrittenPages } from "../plan/index.ts";
import type { SiteReader } from "./open-site.ts";
import { siteSettings } from "./settings.ts";

/** Keeps the quotes of today and notes the pages of a site, before they are rendered. */
export function notePages(stateDir: string, site: SiteReader): void {
  site.keepToday();
  const written = new WrittenPages(stateDir);
  try {
    written.note(site.pages(), site.day());
  } finally {
    written.close();
  }
}

let written: WrittenPages | undefined;

/** `YYYY-MM-DD`; undefined for a page that was never noted. */
export function lastChanged(path: string): string | undefined {
  written ??= new WrittenPages(siteSettings().stateDir);
  return written.changedOn(path);
}
