/** The figures of the last harvest as rows of a name and a value. Upstream text in them is made printable here. */
import { printable } from "../../contract/printable.ts";
import { buildMessages } from "../../i18n/build.ts";
import type { Voice } from "../../i18n/voice.ts";
import type { BuildPage } from "../../site/index.ts";

/** With the code of a language where the value is in one of its own; empty where nobody knows which. */
export type BuildRow = readonly [name: string, value: string, lang?: string];

export function newsRows(voice: Voice, { night, harvest }: BuildPage): BuildRow[] {
  if (night === null || harvest === null) return [];
  const build = buildMessages(voice.code);
  const limit = night.quota?.limit ?? null;
  const left = limit === null ? null : Math.max(0, limit - night.calls);
  return [
    [build.added, voice.number(night.change.added)],
    [build.changed, voice.number(night.change.changed)],
    [build.removed, voice.number(night.change.removed)],
    [build.calls, voice.number(night.calls)],
    [build.callsLeft, left === null ? build.unknown : voice.number(left)],
    [build.waits, voice.unit(harvest.waitedMs / 1_000, "second")],
    ...assumptionRows(build.assumption, harvest.assumption),
  ];
}

/** English, as every text of the harvest's own. */
function assumptionRows(name: string, assumption: string | null): BuildRow[] {
  return assumption === null ? [] : [[name, printable(assumption), "en"]];
}

export function unreadRows(voice: Voice, { night }: BuildPage): BuildRow[] {
  const { place } = buildMessages(voice.code);
  return (night?.unread ?? []).map(({ offset, reason }) => [
    `${place} ${voice.number(offset)}`,
    printable(reason),
    "en",
  ]);
}

/** The name that is shown, and the spellings that stand under it; nobody knows their language. */
export function mergedRows({ merged }: BuildPage): BuildRow[] {
  return merged.first.map(({ name, others }) => [
    printable(name, 80),
    others.map((other) => printable(other, 80)).join(" · "),
    "",
  ]);
}

export function pictureRows(voice: Voice, { pictures }: BuildPage): BuildRow[] {
  const build = buildMessages(voice.code);
  const reasons = Object.entries(pictures.reasons);
  if (pictures.shown === 0 && reasons.length === 0) return [];
  const failed = reasons.reduce((sum, [, count]) => sum + count, 0);
  return [
    [build.shown, voice.number(pictures.shown)],
    [build.failed, voice.number(failed)],
    ...reasons.map(([reason, count]): BuildRow => [reason, voice.number(count)]),
  ];
}
