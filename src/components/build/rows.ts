/** The figures of the last harvest as rows of a name and a value. Upstream text in them is made printable here. */
import { printable } from "../../contract/printable.ts";
import type { Locale } from "../../i18n/locale.ts";
import type { BuildPage } from "../../site/index.ts";
import { BUILD } from "./messages.ts";

/** With the code of a language where the value is in one of its own; empty where it is unknown. */
export type BuildRow = readonly [name: string, value: string, lang?: string];

const COUNTS = ["requests", "retries", "repaired", "duplicates", "removed", "quarantined"] as const;

/** What the harvest cost and met. */
export function harvestRows(locale: Locale, { harvest }: BuildPage): BuildRow[] {
  if (harvest === null) return [];
  return COUNTS.map((count) => [BUILD[count], locale.number(harvest[count])]);
}

export function newsRows(locale: Locale, { night, harvest }: BuildPage): BuildRow[] {
  if (night === null || harvest === null) return [];
  const limit = night.quota?.limit ?? null;
  const left = limit === null ? null : Math.max(0, limit - night.calls);
  return [
    [BUILD.added, locale.number(night.change.added)],
    [BUILD.changed, locale.number(night.change.changed)],
    [BUILD.removed, locale.number(night.change.removed)],
    [BUILD.calls, locale.number(night.calls)],
    [BUILD.callsLeft, left === null ? BUILD.unknown : locale.number(left)],
    [BUILD.waits, locale.unit(harvest.waitedMs / 1_000, "second")],
    ...assumptionRows(BUILD.assumption, harvest.assumption),
  ];
}

/** English, as every text of the harvest's own. */
function assumptionRows(name: string, assumption: string | null): BuildRow[] {
  return assumption === null ? [] : [[name, printable(assumption), "en"]];
}

export function unreadRows(locale: Locale, { night }: BuildPage): BuildRow[] {
  return (night?.unread ?? []).map(({ offset, reason }) => [
    `${BUILD.place} ${locale.number(offset)}`,
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
    [BUILD.shown, locale.number(pictures.shown)],
    [BUILD.failed, locale.number(failed)],
    ...reasons.map(([reason, count]): BuildRow => [reason, locale.number(count)]),
  ];
}
