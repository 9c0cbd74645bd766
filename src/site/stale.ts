/** Whether the data is stale. All pages show it, and nothing else on them depends on the clock. */
import { isStale } from "../contract/stale.ts";
import { openSite } from "./open-site.ts";
import { siteSettings } from "./settings.ts";

let known: string | null | undefined;

/** When stale data was read, ISO 8601 in UTC; null if it is not stale, or its age is unknown. */
export function staleSince(): string | null {
  if (known === undefined) {
    const { dataAsOf } = openSite().summary();
    const { site, now } = siteSettings();
    known = isStale(dataAsOf, site.staleAfterDays, now()) ? dataAsOf : null;
  }
  return known;
}
