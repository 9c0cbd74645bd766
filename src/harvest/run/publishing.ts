/** Publishes the quotes of a harvest as a snapshot, and describes the result. */
import { counted } from "../../util/text.ts";
import { setImmediate } from "node:timers/promises";
import type { StoppedEarly } from "../../contract/errors.ts";
import {
  isComplete,
  type CollectionChange,
  type HarvestFact,
  type RunFact,
} from "../../contract/facts.ts";
import type { HarvestResult } from "../../contract/results.ts";
import { BudgetSpent } from "../../contract/ledger.ts";
import type { Collected } from "../collect.ts";
import type { Selection } from "../../contract/window.ts";
import { readOf, wasReadWhole } from "../policy.ts";
import { contains, keeps } from "../selection.ts";
import { mixedScripts } from "../../util/mixed-script.ts";
import { guardAgainstFieldLoss, guardAgainstReplacement } from "../shrink.ts";
import {
  countFieldLosses,
  Draft,
  type Names,
  pruneSnapshots,
  publish,
  type PublishedSnapshot,
} from "../../snapshot/index.ts";
import { ageOf, NO_CURATION, type ReadWhole } from "./reading.ts";
import { ruleFor, sourceFact, type Session } from "./session.ts";

/** Snapshots kept for a rollback, with the published one. */
const KEPT = 5;

/** Names listed in a remark. */
const NAMED = 5;
const UNREAD_LISTED = 20;

export async function publishWhole(session: Session, whole: ReadWhole): Promise<HarvestResult> {
  const result = await publishDraft(session, whole, null);
  session.run.end("published");
  return result;
}

/** Adds the quotes of a harvest that was cut short to the last complete snapshot, and removes none. */
export async function publishPartial(session: Session, stop: StoppedEarly): Promise<HarvestResult> {
  const { previous, run } = session;
  const collected: Collected = {
    label: "partial",
    assumption: "none: the walk was cut short",
    duplicates: 0,
    repaired: 0,
    pageSize: session.knownPageSize,
  };
  const rule = ruleFor(session, readOf("partial", run.quotesSeen));
  if (rule.action !== "stay") {
    return publishDraft(session, { collected, rule, curated: NO_CURATION }, stop);
  }
  const languages = [...(previous?.languages() ?? [])].map(({ name, quotes }) => [name, quotes]);
  const night = runFact(session, { added: 0, changed: 0, removed: 0, deselected: 0 }, stop);
  return resultOf(night, stop, {
    harvest: harvestFact(session, collected, 0),
    snapshot: previous?.id ?? null,
    published: false,
    quotes: previous?.count() ?? 0,
    languages: Object.fromEntries(languages) as Record<string, number>,
    exitStatus: rule.status,
  });
}

/** Whether a snapshot lacks quotes of a selection, since its own was narrower, or as wide and never read whole. */
function isNarrower(snapshot: PublishedSnapshot | null, selection: Selection): boolean {
  const selected = snapshot?.fact("selection") ?? selection;
  return snapshot?.fact("widened") === true || !contains(selected, selection);
}

async function publishDraft(
  session: Session,
  { collected, rule, curated }: ReadWhole,
  stop: StoppedEarly | null,
): Promise<HarvestResult> {
  const { settings, signal, report, previous, work, remarks } = session;
  const { stateDir, selection } = settings;
  report({ kind: "phase", phase: "publish" });
  const { guards, unseen } = rule;
  const before = unseen === "none" ? null : previous;
  if (before !== null && guards.includes("fields")) {
    guardAgainstFieldLoss(countFieldLosses(work, before.path), ageOf(session, before));
  }
  const { source, host, run } = session;
  if (previous !== null && source !== undefined && guards.includes("replacement")) {
    const published = { source, quotes: previous.count() };
    const now = { source: host, quotes: run.quotesSeen };
    guardAgainstReplacement(published, now, ageOf(session, previous));
  }
  const draft = new Draft(work, stateDir, before?.path ?? null, keeps(selection));
  // Signals are handled between two tasks of the event loop.
  const pause = async (): Promise<void> => {
    await setImmediate();
    signal.throwIfAborted();
  };
  try {
    await pause();
    const now = new Date(settings.now()).toISOString();
    const widened = isNarrower(before, selection);
    const change = draft.fill(
      unseen === "none" ? "remove all" : unseen,
      now,
      wasReadWhole(before) && !widened,
    );
    await pause();
    const known = draft.fillCurated(curated, session.knownCurated, now);
    await pause();
    const harvest = harvestFact(session, collected, change.removed);
    if (stop === null) remarks.push(...tagRemarks(draft), ...authorRemarks(draft));
    const night = runFact(session, change, stop);
    const [quotes, languages] = [draft.count(), draft.languages()];
    const completeBefore = before?.fact("complete");
    const complete = isComplete(harvest.label) ? harvest : completeBefore;
    const asOfBefore = before?.fact("asOf") ?? completeBefore?.finished;
    draft.writeFacts({
      harvest,
      ...(complete === undefined ? {} : { complete }),
      // A partial harvest does not read the other quotes again, so their date stays.
      asOf: stop === null ? harvest.finished : (asOfBefore ?? harvest.started),
      source: sourceFact(session, collected.pageSize),
      selection,
      ...(widened && stop !== null ? { widened } : {}),
      night,
      content: draft.contentName(change, before?.content() ?? null),
      ...(known === undefined ? {} : { curated: known }),
    });
    const snapshot = await publish(draft, stateDir, settings.now(), pause);
    pruneSnapshots(stateDir, KEPT);
    const outcome = { harvest, snapshot, published: true, quotes, languages };
    return resultOf(night, stop, { ...outcome, exitStatus: rule.status });
  } finally {
    draft.discard();
  }
}

type Outcome = Pick<
  HarvestResult,
  "harvest" | "snapshot" | "published" | "quotes" | "languages" | "exitStatus"
>;

function resultOf(night: RunFact, stop: StoppedEarly | null, outcome: Outcome): HarvestResult {
  const { change, stopped, unread: quarantined, remarks } = night;
  const at = stop instanceof BudgetSpent ? stop.resumeAt : null;
  const resumeAt = at === null ? null : new Date(at).toISOString();
  return { ...outcome, night, change, stopped, resumeAt, quarantined, remarks };
}

function harvestFact(
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

function runFact(
  { run, counts, ledger, remarks, client }: Session,
  change: CollectionChange,
  stop: StoppedEarly | null,
): RunFact {
  const { first, reasons } = run.quarantined(UNREAD_LISTED);
  const unread = reasons
    .slice(0, NAMED)
    .map(({ reason, records }) => `${counted(records, "record")} could not be read: ${reason}`);
  const dropped = [...client.dropped.values()];
  const tags = dropped.reduce((sum, parts) => sum + parts.tags, 0);
  const authors = dropped.reduce((sum, parts) => sum + parts.authors, 0);
  const left = `left out for their size: ${counted(tags, "tag")} and ${counted(authors, "author")} of ${counted(dropped.length, "quote")}`;
  const fields = [...client.unread].map(
    ([field, quotes]) =>
      `${field} of ${counted(quotes.size, "quote")} could not be read: the published value stays, or it is empty`,
  );
  return {
    change,
    calls: counts().requests,
    quota: ledger.quota,
    stopped: stop?.message ?? null,
    unread: first,
    remarks: [...remarks, ...unread, ...fields, ...(dropped.length === 0 ? [] : [left])],
  };
}

function tagRemarks(draft: Draft): string[] {
  const { unlisted, unused } = draft.compareTags(NAMED);
  const named = ({ total, first }: Names, meaning: string): string[] =>
    total === 0
      ? []
      : [`${total} ${meaning}: ${first.join(", ")}${total > first.length ? ", …" : ""}`];
  return [
    ...named(unlisted, "tags of quotes are not in the tag list"),
    ...named(unused, "tags of the list are on no quote"),
  ];
}

/** Names that look like another, and have a page of their own. */
function authorRemarks(draft: Draft): string[] {
  const mixed: string[] = [];
  for (const name of draft.authors()) {
    const scripts = mixedScripts(name);
    if (scripts !== null) mixed.push(`${name} (${scripts.join(" and ")})`);
  }
  if (mixed.length === 0) return [];
  const first = mixed.slice(0, NAMED).join(", ");
  const more = mixed.length > NAMED ? ", …" : "";
  return [
    `${counted(mixed.length, "author")} with letters of two scripts in a word: ${first}${more}`,
  ];
}
