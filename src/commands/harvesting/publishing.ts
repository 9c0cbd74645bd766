/** From what was read to what is published, and to the result. */
import { setImmediate } from "node:timers/promises";
import { EXIT, type StoppedEarly } from "../../contract/errors.ts";
import {
  isComplete,
  type CollectionChange,
  type HarvestFact,
  type HarvestResult,
  type SourceFact,
} from "../../contract/harvest-result.ts";
import { BudgetSpent } from "../../contract/ledger.ts";
import type { PublishedSnapshot } from "../../snapshot/index.ts";
import type { Collected } from "../../harvest/collect.ts";
import { guardAgainstEmptied } from "../../harvest/shrink.ts";
import { asksFor } from "../../harvest/selection.ts";
import { emptiedSince } from "../../snapshot/published/emptied.ts";
import { pruneSnapshots } from "../../snapshot/published/history.ts";
import { beginDraft, discard, publish } from "../../snapshot/published/publish.ts";
import { knownCurated, noCuration } from "./curation.ts";
import { factOf, factsOf, nightOf, tagRemarks } from "./facts.ts";
import type { ReadWhole } from "./reading.ts";
import { baseOf, sameSource, type Session } from "./session.ts";

/** Snapshots kept for going back, the published one included. */
const KEPT = 5;

export async function publishWhole(session: Session, whole: ReadWhole): Promise<HarvestResult> {
  const result = await published(session, whole, null);
  session.run.end("published");
  return result;
}

/**
 * A harvest that was cut short: what it has is merged into a whole one, and nothing is removed. Without a whole one
 * there is nothing to merge into.
 */
export async function publishPartial(session: Session, stop: StoppedEarly): Promise<HarvestResult> {
  const { previous, run, settings } = session;
  const collected: Collected = {
    label: "partial",
    assumption: "none: the walk was cut short",
    duplicates: 0,
    repaired: 0,
    pageSize: previous?.fact<SourceFact>("source")?.pageSize ?? 0,
  };
  const stays = sameSource(session) && isWhole(previous);
  const base = stays && baseOf(session) !== null;
  if ((base || (settings.walk.allowPartial && !stays)) && run.quotesSeen > 0) {
    const part: ReadWhole = { collected, missing: "keep", curated: noCuration(session) };
    return published(session, part, stop);
  }
  return resultOf(session, factOf(session, collected, 0), stop, {
    snapshot: previous?.id ?? null,
    published: false,
    quotes: previous?.count() ?? 0,
    languages: Object.fromEntries(
      [...(previous?.languages() ?? [])].map(({ name, quotes }) => [name, quotes]),
    ),
    change: { added: 0, changed: 0, removed: 0, deselected: 0 },
    exitStatus: stays ? EXIT.done : EXIT.stopped,
  });
}

function isWhole(snapshot: PublishedSnapshot | null): boolean {
  const label = snapshot?.fact<HarvestFact>("harvest")?.label;
  return snapshot?.fact("complete") !== undefined || label === "best-effort";
}

async function published(
  session: Session,
  { collected, missing, curated }: ReadWhole,
  stop: StoppedEarly | null,
): Promise<HarvestResult> {
  const { settings, signal, report, previous, work, remarks } = session;
  const { stateDir, selection } = settings;
  report({ kind: "phase", phase: "publish" });
  // Nothing of two services, or of a selection that leaves it out, is ever in one snapshot.
  const isOurs = sameSource(session) && isComplete(collected.label);
  const before = isOurs ? previous : baseOf(session);
  session.run.flush();
  if (before !== null && !settings.walk.allowShrink) {
    guardAgainstEmptied(emptiedSince(work, before.path));
  }
  const draft = beginDraft(work, stateDir, before?.path ?? null, asksFor(selection));
  // A signal is handled only between two tasks.
  const pause = async (): Promise<void> => {
    await setImmediate();
    signal.throwIfAborted();
  };
  try {
    await pause();
    const now = new Date(settings.now()).toISOString();
    const change = draft.fill(missing, now, isWhole(before));
    await pause();
    const known = draft.fillCurated(curated, knownCurated(session), now);
    await pause();
    const fact = factOf(session, collected, change.removed);
    if (stop === null) remarks.push(...tagRemarks(draft));
    const { quotes, languages } = { quotes: draft.count(), languages: draft.languages() };
    draft.writeFacts({
      ...factsOf(session, fact, before, collected.pageSize),
      night: nightOf(session, change, stop),
      ...(known === undefined ? {} : { curated: known }),
    });
    const snapshot = await publish(draft, stateDir, settings.now(), pause);
    pruneSnapshots(stateDir, KEPT);
    return resultOf(session, fact, stop, {
      snapshot,
      published: true,
      quotes,
      languages,
      change,
      exitStatus: EXIT.done,
    });
  } catch (error) {
    if (draft.isOpen) discard(draft);
    throw error;
  }
}

interface Outcome {
  readonly snapshot: string | null;
  readonly published: boolean;
  readonly quotes: number;
  readonly languages: Readonly<Record<string, number>>;
  readonly change: CollectionChange;
  readonly exitStatus: number;
}

function resultOf(
  session: Session,
  harvest: HarvestFact,
  stop: StoppedEarly | null,
  outcome: Outcome,
): HarvestResult {
  const resumeAt = stop instanceof BudgetSpent ? stop.resumeAt : null;
  const night = nightOf(session, outcome.change, stop);
  return {
    ...outcome,
    harvest,
    night,
    stopped: stop?.message ?? null,
    resumeAt: resumeAt === null ? null : new Date(resumeAt).toISOString(),
    quarantined: night.unread,
    remarks: night.remarks,
  };
}
