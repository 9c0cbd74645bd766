/** Whether quotes are stale: read longer ago than `staleAfterDays` of the settings allows. */
const DAY_MS = 86_400_000;

/**
 * @param dataAsOf when they were read, ISO 8601; null where unknown
 * @param now milliseconds since the epoch
 */
export function isStale(dataAsOf: string | null, afterDays: number, now: number): boolean {
  return dataAsOf !== null && now - Date.parse(dataAsOf) > afterDays * DAY_MS;
}
