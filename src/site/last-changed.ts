/** Since when pages show what they show, where that was noted. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { LastChanged, noteChanges } from "../catalogue/last-changed.ts";
import type { SiteReader } from "./reader.ts";
import { siteSettings } from "./settings.ts";

/** Notes the pages of a site, before they are rendered. */
export function notePages(stateDir: string, site: SiteReader): void {
  noteChanges(stateDir, site.pages(), site.day());
}

let days: LastChanged | null | undefined;

/** `YYYY-MM-DD`; undefined where nobody noted it. */
export function lastChanged(path: string): string | undefined {
  const { stateDir } = siteSettings();
  days ??= existsSync(join(stateDir, "last-changed.sqlite")) ? new LastChanged(stateDir) : null;
  return days?.dayOf(path);
}
