/** Everything a harvest asks the service for, in the order it is asked: quotes, what is missing, tags, and which are curated. */
import { quoteOfTheDayOf, quotesOf, tagsOf } from "../../client/quotes.ts";
import { PublishRefused, StoppedEarly } from "../../contract/errors.ts";
import { isComplete, type SourceFact } from "../../contract/harvest-result.ts";
import type { Gap } from "../../contract/missing.ts";
import { GarbledAnswer, PermanentAnswer } from "../../contract/refused-answer.ts";
import type { Selection } from "../../contract/window.ts";
import {
  collect,
  distrustLists,
  type CollectContext,
  type Collected,
} from "../../harvest/collect.ts";
import { firstOverlap, GENEROUS_PAGE, type HarvestContext } from "../../harvest/context.ts";
import { freshen, FRESHEN_REQUESTS } from "../../harvest/freshen.ts";
import { probesAllowed, reconcile, type Reconciled } from "../../harvest/reconcile.ts";
import { asksFor, keeps, narrowsUnseen } from "../../harvest/selection.ts";
import { guardAgainstShrink } from "../../harvest/shrink.ts";
import { walkTags } from "../../harvest/tags.ts";
import type { CuratedRead } from "../../snapshot/published/curation.ts";
import { gapTo } from "../../snapshot/published/gap.ts";
import { asksCurated, noCuration, readCuration } from "./curation.ts";
import { sameSource, type Session } from "./session.ts";

/** What was read, and what may become of the quotes that were not. */
export interface ReadWhole {
  readonly collected: Collected;
  readonly missing: "keep" | "remove gone" | "remove all";
  readonly curated: CuratedRead;
}

/** @throws {PublishRefused} when more is missing than may vanish */
export async function readWhole(session: Session): Promise<ReadWhole> {
  const context = contextOf(session);
  await freshenFirst(session, context);
  const collected = await collect(context);
  session.run.flush();
  if (session.run.quotesSeen === 0 && !session.settings.walk.allowShrink) {
    throw new PublishRefused(
      "Cannot publish this harvest: the service has no quotes for this selection",
    );
  }
  const whole = await compared(session, context, collected);
  await readTags(session);
  const curated = asksCurated(session)
    ? await readCuration(session, context, collected.pageSize)
    : noCuration(session);
  return { ...whole, curated };
}

function contextOf({ settings, client, run, report, previous }: Session): CollectContext {
  const { walk, selection } = settings;
  const sameSelection =
    JSON.stringify(previous?.fact<Selection>("selection")) === JSON.stringify(selection);
  return {
    get: quotesOf(client),
    store: run,
    pageSize: walk.pageSize ?? GENEROUS_PAGE,
    concurrency: walk.concurrency,
    overlap: firstOverlap(walk.concurrency),
    expected: sameSelection ? (previous?.count() ?? null) : null,
    selection,
    report,
    now: settings.now,
    random: Math.random,
  };
}

function probing(session: Session, context: CollectContext): HarvestContext {
  return { ...context, keeps: keeps(session.settings.selection) };
}

/** On a night whose budget will not reach the end, what changes most comes first. */
async function freshenFirst(session: Session, context: CollectContext): Promise<void> {
  const { settings, run, ledger, previous, client } = session;
  const { maxRequests } = settings.walk;
  const pageSize = previous?.fact<SourceFact>("source")?.pageSize ?? 0;
  if (maxRequests === null || previous === null || pageSize === 0 || !sameSource(session)) return;
  const left = maxRequests - ledger.requests;
  const needed = (previous.count() - run.quotesSeen) / pageSize;
  if (needed < left || left < 3 * FRESHEN_REQUESTS) return;
  const newest = previous.count() - Math.floor(pageSize / 2);
  await freshen(probing(session, context), quoteOfTheDayOf(client), Math.max(0, newest));
}

async function compared(
  session: Session,
  context: CollectContext,
  collected: Collected,
  again = false,
): Promise<Omit<ReadWhole, "curated">> {
  const { settings, previous, work, run, counts } = session;
  const { selection } = settings;
  if (!isComplete(collected.label)) return { collected, missing: "keep" };
  const narrower = narrowsUnseen(previous?.fact<Selection>("selection"), selection);
  if (previous === null || !sameSource(session) || narrower) {
    return { collected, missing: "remove all" };
  }
  run.flush();
  const gap: Gap = gapTo(work, previous.path, asksFor(selection));
  if (settings.walk.allowShrink) return { collected, missing: "remove all" };
  guardAgainstShrink(gap);
  const budget = probesAllowed(counts().requests);
  const inner = probing(session, context);
  const reconciled = await reconcile(gap.missing, selection.curated, inner, budget);
  run.saveGone(reconciled.gone);
  tellUnprobed(session, reconciled);
  const repaired = collected.repaired + reconciled.found;
  if (reconciled.found > 0 && collected.label === "complete:proved" && !again) {
    distrustLists(context, `${reconciled.found} quotes were found only by asking for them`);
    return compared(session, context, { ...(await collect(context)), repaired }, true);
  }
  return { collected: { ...collected, repaired }, missing: "remove gone" };
}

function tellUnprobed({ remarks }: Session, { unprobed }: Reconciled): void {
  if (unprobed > 0) remarks.push(`${unprobed} quotes were not seen and not asked for: they stay`);
}

/** The tag list can be done without: whatever keeps it from us, the quotes are published. */
async function readTags({ client, run, report, settings, remarks }: Session): Promise<void> {
  report({ kind: "phase", phase: "tags" });
  try {
    const tags = await walkTags(tagsOf(client), settings.walk.pageSize ?? GENEROUS_PAGE);
    if (tags === null)
      remarks.push("the tag list could not be read to its end; the one before stays");
    else run.saveTags(tags);
  } catch (error) {
    const done =
      error instanceof PermanentAnswer ||
      error instanceof GarbledAnswer ||
      error instanceof StoppedEarly;
    if (!done) throw error;
    remarks.push(`the tag list was not read, the one before stays: ${error.message}`);
  }
}
