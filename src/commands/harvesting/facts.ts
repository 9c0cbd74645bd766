/** What a snapshot says of the harvest that it came from. */
import type { StoppedEarly } from "../../contract/errors.ts";
import type { CollectionChange, HarvestFact, RunFact } from "../../contract/harvest-result.ts";
import type { Collected } from "../../harvest/collect.ts";
import type { Draft, Names } from "../../snapshot/published/draft.ts";
import type { Session } from "./session.ts";

/** Tags, and reasons of records that could not be read, in a remark. */
const NAMED = 5;
const UNREAD_LISTED = 20;

export function harvestFact(
  { run, counts, settings }: Session,
  { label, assumption, duplicates, repaired }: Collected,
  removed: number,
): HarvestFact {
  return {
    ...{ label, assumption, duplicates, repaired, removed },
    started: new Date(run.started).toISOString(),
    finished: new Date(settings.now()).toISOString(),
    ...run.saveCounts(counts()),
    quarantined: run.quarantined(0).total,
  };
}

export function runFact(
  { run, counts, ledger, remarks, client }: Session,
  change: CollectionChange,
  stop: StoppedEarly | null,
): RunFact {
  const { first, reasons } = run.quarantined(UNREAD_LISTED);
  const unread = reasons
    .slice(0, NAMED)
    .map(({ reason, records }) => `${records} records could not be read: ${reason}`);
  const dropped = [...client.dropped.values()];
  const tags = dropped.reduce((sum, parts) => sum + parts.tags, 0);
  const authors = dropped.reduce((sum, parts) => sum + parts.authors, 0);
  const left = `left out of ${dropped.length} quotes for their size: ${tags} tags, ${authors} authors`;
  return {
    change,
    calls: counts().requests,
    quota: ledger.quota,
    stopped: stop?.message ?? null,
    unread: first,
    remarks: [...remarks, ...unread, ...(dropped.length === 0 ? [] : [left])],
  };
}

export function tagRemarks(draft: Draft): string[] {
  const { unlisted, unused } = draft.compareTags(NAMED);
  const named = ({ total, first }: Names, what: string): string[] =>
    total === 0
      ? []
      : [`${total} ${what}: ${first.join(", ")}${total > first.length ? ", …" : ""}`];
  return [
    ...named(unlisted, "tags of quotes are not in the tag list"),
    ...named(unused, "tags of the list are on no quote"),
  ];
}
