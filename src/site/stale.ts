/**
 * Whether the data is stale: older than `staleAfterDays` of the site's settings.
 *
 * All pages show it, and nothing else on them depends on the clock.
 */
import { openSite } from "./open-site.ts";
import { siteSettings } from "./settings.ts";

const DAY_MS = 86_400_000;

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

/** @param now in milliseconds since the epoch */
export function isStale(dataAsOf: string | null, afterDays: number, now: number): boolean {
  return dataAsOf !== null && now - Date.parse(dataAsOf) > afterDays * DAY_MS;
}
