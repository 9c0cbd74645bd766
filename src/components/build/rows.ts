/** The figures of the last harvest as rows of a name and a value, in English. Upstream text in them is made printable here. */
import { printable } from "../../contract/printable.ts";
import type { Locale } from "../../i18n/locale.ts";
import type { BuildPage } from "../../site/index.ts";

/** With the code of a language where the value is in one of its own; empty where it is unknown. */
export type BuildRow = readonly [name: string, value: string, lang?: string];

const COUNTS = [
  ["Requests made", "requests"],
  ["Requests repeated", "retries"],
  ["Gaps repaired", "repaired"],
  ["Quotes met twice", "duplicates"],
  ["Removed quotes", "removed"],
  ["Records that could not be read", "quarantined"],
] as const;

/** What the harvest cost and met. */
export function harvestRows(locale: Locale, { harvest }: BuildPage): BuildRow[] {
  if (harvest === null) return [];
  return COUNTS.map(([name, count]) => [name, locale.number(harvest[count])]);
}

export function newsRows(locale: Locale, { night, harvest }: BuildPage): BuildRow[] {
  if (night === null || harvest === null) return [];
  const limit = night.quota?.limit ?? null;
  const left = limit === null ? null : Math.max(0, limit - night.calls);
  return [
    ["New quotes", locale.number(night.change.added)],
    ["Changed quotes", locale.number(night.change.changed)],
    ["Removed quotes", locale.number(night.change.removed)],
    ["Calls in this build", locale.number(night.calls)],
    ["Calls left of the quota", left === null ? "not known" : locale.number(left)],
    ["Waiting", locale.unit(harvest.waitedMs / 1_000, "second")],
    // English, as every text of the harvest's own.
    ...(harvest.assumption === null
      ? []
      : [["True as long as", printable(harvest.assumption), "en"] as const]),
  ];
}

export function unreadRows(locale: Locale, { night }: BuildPage): BuildRow[] {
  return (night?.unread ?? []).map(({ offset, reason }) => [
    `Place ${locale.number(offset)}`,
    printable(reason),
    "en",
  ]);
}

/** The name that is shown, and the spellings that it replaces; their language is unknown. */
export function mergedRows({ merged }: BuildPage): BuildRow[] {
  return merged.first.map(({ name, others }) => [
    printable(name, 80),
    others.map((other) => printable(other, 80)).join(" · "),
    "",
  ]);
}

export function pictureRows(locale: Locale, { pictures }: BuildPage): BuildRow[] {
  const reasons = Object.entries(pictures.reasons);
  if (pictures.shown === 0 && reasons.length === 0) return [];
  const failed = reasons.reduce((sum, [, count]) => sum + count, 0);
  return [
    ["Shown", locale.number(pictures.shown)],
    ["Failed", locale.number(failed)],
    ...reasons.map(([reason, count]): BuildRow => [reason, locale.number(count)]),
  ];
}
