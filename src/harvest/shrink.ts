/** The shrink guard (docs/walk.md, section 1): limits how much even a complete harvest may remove. */
import { PublishRefused } from "../contract/errors.ts";
import { counted } from "../util/text.ts";
import type { FieldLoss, Gap } from "../snapshot/index.ts";

const SHARE = 0.05;
const ALWAYS_ALLOWED = 50;

/** A service loses quotes every day: after weeks without a complete harvest more are gone than after a night. */
const SHARE_OF_A_DAY = 0.01;
const MOST = 0.2;

const DAY_MS = 86_400_000;

/** Quotes that may be removed from a collection of this size without `--allow-shrink`. */
function shrinkLimit(before: number): number {
  return Math.max(ALWAYS_ALLOWED, Math.floor(before * SHARE));
}

/** What the age of the published quotes adds to the limit; with it no more than a fifth may go. */
function forAge(before: number, days: number): number {
  const most = Math.max(0, Math.floor(before * MOST) - shrinkLimit(before));
  return Math.min(most, Math.floor(before * SHARE_OF_A_DAY * days));
}

const daysOf = (ageMs: number): number => Math.max(0, Math.floor(ageMs / DAY_MS));

/**
 * @param ageMs milliseconds since the published quotes were complete
 * @throws {PublishRefused} when too many are missing, in all or in one language
 */
export function guardAgainstShrink({ languages, missing }: Gap, ageMs: number): void {
  const days = daysOf(ageMs);
  const all = Object.values(languages).reduce((sum, { before }) => sum + before, 0);
  check("", all, missing.length, days);
  for (const [language, { before, missing: gone }] of Object.entries(languages)) {
    check(` in the language "${language}"`, before, gone, days);
  }
}

function check(where: string, before: number, missing: number, days: number): void {
  const [always, more] = [shrinkLimit(before), forAge(before, days)];
  if (missing <= always + more) return;
  const sum =
    more === 0
      ? ""
      : ` (${always}, and ${more} since the last complete harvest ${counted(days, "day")} ago)`;
  throw new PublishRefused(
    `Cannot publish this harvest: ${missing} of ${before} quotes${where} are gone, and at most ${always + more} may${sum}; --allow-shrink publishes it`,
  );
}

/**
 * Guards the quotes of one service against a much smaller one: its address may be mistyped.
 *
 * @param ageMs milliseconds since the published quotes were complete
 * @throws {PublishRefused} when the smaller one lacks more quotes than the limit
 */
export function guardAgainstReplacement(
  before: { readonly quotes: number; readonly source: string },
  { quotes, source }: { readonly quotes: number; readonly source: string },
  ageMs: number,
): void {
  const limit = shrinkLimit(before.quotes) + forAge(before.quotes, daysOf(ageMs));
  if (before.quotes - quotes <= limit) return;
  throw new PublishRefused(
    `Cannot replace ${before.quotes} quotes of ${before.source} by ${quotes} of ${source}: check the address, or use another --state; --allow-shrink publishes it`,
  );
}

/** With fewer quotes than this, the loss of a field is not judged. */
const FEW = 20;

/** Quotes that may lose a field in one harvest: half of those that had it, and at most the shrink limit and what age adds. */
export function mayLose(had: number, ageMs: number): number {
  const limit = shrinkLimit(had) + forAge(had, daysOf(ageMs));
  return had < FEW ? Infinity : Math.min(had / 2, limit);
}

/**
 * Guards each field: if the service renames one, every quote would be published without it.
 *
 * @param ageMs milliseconds since the published quotes were complete
 * @throws {PublishRefused} when more quotes lost a field than `mayLose` allows
 */
export function guardAgainstFieldLoss(fields: readonly FieldLoss[], ageMs: number): void {
  for (const { field, had, lost } of fields) {
    if (lost <= mayLose(had, ageMs)) continue;
    throw new PublishRefused(
      `Cannot publish this harvest: ${lost} of ${had} quotes lost their ${field}; --allow-shrink publishes it`,
    );
  }
}
