/** The shrink guard (docs/walk.md, section 1): limits how much even a complete harvest may remove. */
import { PublishRefused } from "../contract/errors.ts";
import { counted } from "../util/text.ts";
import type { FieldLoss, Gap, Turnover } from "../snapshot/index.ts";

const SHARE = 0.05;
const ALWAYS_ALLOWED = 50;

/** A service loses quotes every day: after weeks without a complete harvest more are gone than after a night. */
const SHARE_OF_A_DAY = 0.01;
const MOST = 0.2;
/** Beyond that, as many as new quotes replace: an honest collection that changes much stays as large as it is. */
const REPLACED_SHARE_OF_A_DAY = 0.02;

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
 * @param countRenumbered counts the texts of missing quotes that came with other keys; called for a refusal alone
 * @throws {PublishRefused} when too many are missing, in all or in one language
 */
export function guardAgainstShrink(
  { languages }: Gap,
  ageMs: number,
  countRenumbered: () => number,
): void {
  const days = daysOf(ageMs);
  const sum = (key: keyof Turnover): number =>
    Object.values(languages).reduce((total, one) => total + one[key], 0);
  const all = { before: sum("before"), missing: sum("missing"), added: sum("added") };
  const explain = (): string => {
    const renumbered = countRenumbered();
    return renumbered * 2 < all.missing
      ? ""
      : `; ${counted(renumbered, "text")} of them came with other keys: the service has numbered its quotes anew`;
  };
  check("", all, days, explain);
  for (const [language, turnover] of Object.entries(languages)) {
    check(` in the language "${language}"`, turnover, days, explain);
  }
}

/** @param explain says why, as a clause after a semicolon; empty for nothing */
function check(
  where: string,
  { before, missing, added }: Turnover,
  days: number,
  explain: () => string,
): void {
  const [always, more] = [shrinkLimit(before), forAge(before, days)];
  // Quotes that come and go each night leave the collection as large as it was; a mass delete does not.
  const replaced = Math.min(added, Math.floor(before * REPLACED_SHARE_OF_A_DAY * days));
  const most = always + more + replaced;
  if (missing <= most) return;
  const parts = [
    ...(more === 0 ? [] : [`${more} since the last complete harvest ${counted(days, "day")} ago`]),
    ...(replaced === 0 ? [] : [`${replaced} that new quotes replace`]),
  ];
  const sum = parts.length === 0 ? "" : ` (${always}, and ${parts.join(", and ")})`;
  throw new PublishRefused(
    `Cannot publish this harvest: ${missing} of ${before} quotes${where} are gone, and at most ${most} may${sum}${explain()}; --allow-shrink publishes it`,
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
