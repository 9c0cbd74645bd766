/** What a snapshot says of the harvest that it came from. */
import type { Dropped } from "../../contract/decode.ts";
import type { StoppedEarly } from "../../contract/errors.ts";
import {
  isComplete,
  type CollectionChange,
  type HarvestFact,
  type NightFact,
  type SourceFact,
} from "../../contract/harvest-result.ts";
import type { PublishedSnapshot } from "../../contract/snapshot.ts";
import type { Collected } from "../../harvest/collect.ts";
import type { Draft, Names } from "../../snapshot/published/draft.ts";
import type { Session } from "./session.ts";

/** Tags named in a remark. */
const NAMED = 5;
const QUARANTINED_TOLD = 20;

export function factsOf(
  { host, settings }: Session,
  fact: HarvestFact,
  before: PublishedSnapshot | null,
  pageSize: number,
): Record<string, unknown> {
  const complete = isComplete(fact.label) ? fact : before?.fact<HarvestFact>("complete");
  // A part of the quotes read anew makes the others no younger.
  const asOf = fact.label === "partial" ? ageOf(before, fact) : fact.finished;
  return {
    harvest: fact,
    ...(complete === undefined ? {} : { complete }),
    asOf,
    source: { host, pageSize } satisfies SourceFact,
    selection: settings.selection,
  };
}

function ageOf(before: PublishedSnapshot | null, { started }: HarvestFact): string {
  return before?.fact<string>("asOf") ?? before?.fact<HarvestFact>("complete")?.finished ?? started;
}

export function tagRemarks(draft: Draft): string[] {
  const { unlisted, unused } = draft.compareTags(NAMED);
  return [
    ...named(unlisted, "tags of quotes are not in the tag list"),
    ...named(unused, "tags of the list are on no quote"),
  ];
}

function named({ total, first }: Names, what: string): string[] {
  if (total === 0) return [];
  const more = total > first.length ? ", …" : "";
  return [`${total} ${what}: ${first.join(", ")}${more}`];
}

export function factOf(
  { run, counts, settings }: Session,
  collected: Collected,
  removed: number,
): HarvestFact {
  return {
    label: collected.label,
    assumption: collected.assumption,
    started: new Date(run.started).toISOString(),
    finished: new Date(settings.now()).toISOString(),
    ...run.saveCounts(counts()),
    duplicates: collected.duplicates,
    repaired: collected.repaired,
    removed,
    quarantined: run.quarantined(0).total,
  };
}

export function nightOf(
  { run, counts, ledger, remarks, client }: Session,
  change: CollectionChange,
  stop: StoppedEarly | null,
): NightFact {
  return {
    change,
    calls: counts().requests,
    quota: ledger.quota,
    stopped: stop?.message ?? null,
    unread: run.quarantined(QUARANTINED_TOLD).first,
    remarks: [...remarks, ...unreadRemarks(run), ...droppedRemark(client.dropped)],
  };
}

function droppedRemark(dropped: ReadonlyMap<number, Dropped>): string[] {
  if (dropped.size === 0) return [];
  const sum = (part: keyof Dropped): number =>
    [...dropped.values()].reduce((total, parts) => total + parts[part], 0);
  const what = `${sum("tags")} tags, ${sum("authors")} authors`;
  return [`left out of ${dropped.size} quotes for their size: ${what}`];
}

/** Unreadable records by reason. */
function unreadRemarks(run: Session["run"]): string[] {
  return run
    .quarantined(0)
    .reasons.slice(0, NAMED)
    .map(({ reason, records }) => `${records} records could not be read: ${reason}`);
}
