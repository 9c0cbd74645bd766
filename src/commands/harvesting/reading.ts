/** Everything a harvest asks the service for, in the order it is asked: quotes, what is missing, tags, and which are curated. */
import { quoteOfTheDayOf, quotesOf, tagsOf } from "../../client/quotes.ts";
import { PublishRefused } from "../../contract/errors.ts";
import { BudgetSpent } from "../../contract/ledger.ts";
import { isComplete, type SourceFact } from "../../contract/harvest-result.ts";
import type { Gap, MissingQuote } from "../../contract/missing.ts";
import type { Selection } from "../../contract/window.ts";
import {
  collect,
  distrustLists,
  type CollectContext,
  type Collected,
} from "../../harvest/collect.ts";
import { firstOverlap, GENEROUS_PAGE, type HarvestContext } from "../../harvest/context.ts";
import { checkCurated } from "../../harvest/curated.ts";
import { freshen, FRESHEN_REQUESTS } from "../../harvest/freshen.ts";
import { probesAllowed, reconcile, type Reconciled } from "../../harvest/reconcile.ts";
import { asksFor, filtersOf, keeps, narrowsUnseen } from "../../harvest/selection.ts";
import { guardAgainstShrink } from "../../harvest/shrink.ts";
import { walkTags } from "../../harvest/tags.ts";
import type { CuratedRead } from "../../snapshot/published/curation.ts";
import { carryUnprobed, gapTo, neighboursIn, unprobedIn } from "../../snapshot/published/gap.ts";
import { asksCurated, noCuration, readCuration } from "./curation.ts";
import { baseOf, sameSource, type Session } from "./session.ts";

/** What was read, and what may become of the quotes that were not. */
export interface ReadWhole {
  readonly collected: Collected;
  readonly missing: "keep" | "remove gone" | "remove all";
  readonly curated: CuratedRead;
}

/** @throws {PublishRefused} when more is missing than may vanish */
export async function readWhole(session: Session): Promise<ReadWhole> {
  const context = contextOf(session);
  const carried = await probeCarried(session, context);
  if (carried < MANY_CARRIED / 4) await freshenFirst(session, context);
  const collected = await collect(context);
  session.run.flush();
  const { selection, walk } = session.settings;
  if (session.run.quotesSeen === 0 && !walk.allowShrink) {
    throw new PublishRefused(
      "Cannot publish this harvest: the service has no quotes for this selection",
    );
  }
  if (selection.curated) await checkCurated(context);
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
    limits: walk,
    report,
    now: settings.now,
    random: Math.random,
  };
}

function probing(session: Session, context: CollectContext): HarvestContext {
  return { ...context, keeps: keeps(session.settings.selection) };
}

/** Records that the service sends in one page, as far as an earlier harvest found out; 0 when none did. */
function knownPageSize({ previous }: Session): number {
  return previous?.fact<SourceFact>("source")?.pageSize ?? 0;
}

/** Quotes carried over, of which there may be so many before they take half of a small budget. */
const MANY_CARRIED = 20;

/**
 * What an earlier night could not ask for goes first, with a tenth of a small budget or more: else it would pile up.
 *
 * @returns how many are still to be asked for
 */
async function probeCarried(session: Session, context: CollectContext): Promise<number> {
  const { work, host, run, settings, ledger } = session;
  const previous = baseOf(session);
  if (previous === null) return 0;
  run.flush();
  const carried = unprobedIn(work, previous.path, host);
  const { maxRequests } = settings.walk;
  const left = maxRequests === null ? Infinity : maxRequests - ledger.requests;
  const share = Math.max(0.1, Math.min(0.5, carried.length / MANY_CARRIED));
  const budget = Math.min(probesAllowed(0), Math.max(1, Math.round(left * share)));
  const pageSize = knownPageSize(session);
  const told = await probed(session, context, carried, pageSize, budget, previous.path);
  return told.unprobed.length;
}

/** On a night whose budget will not reach the end, what changes most comes next. */
async function freshenFirst(session: Session, context: CollectContext): Promise<void> {
  const { settings, run, ledger, client, optional } = session;
  const { maxRequests } = settings.walk;
  const previous = baseOf(session);
  const pageSize = knownPageSize(session);
  const [list, ...more] = filtersOf(settings.selection);
  const isOne = list !== undefined && more.length === 0 && !list.curated && list.tag === null;
  if (maxRequests === null || previous === null || pageSize === 0 || !isOne) return;
  const left = maxRequests - ledger.requests;
  const needed = (previous.count() - run.quotesSeen) / pageSize;
  if (needed < left || left < 3 * FRESHEN_REQUESTS) return;
  const newest = Math.max(0, previous.count() - Math.floor(pageSize / 2));
  await freshen(probing(session, context), list, newest, quoteOfTheDayOf(client), optional);
}

async function compared(
  session: Session,
  context: CollectContext,
  collected: Collected,
  again = false,
): Promise<Omit<ReadWhole, "curated">> {
  const { settings, previous, work, run, counts, host, remarks } = session;
  const { selection } = settings;
  if (!isComplete(collected.label)) return { collected, missing: "keep" };
  const narrower = narrowsUnseen(previous?.fact<Selection>("selection"), selection);
  if (previous === null || !sameSource(session) || narrower || settings.walk.allowShrink) {
    return { collected, missing: "remove all" };
  }
  run.flush();
  const gap: Gap = gapTo(work, previous.path, asksFor(selection), host);
  guardAgainstShrink(gap);
  const budget = probesAllowed(counts().requests);
  const { pageSize } = collected;
  const canAsk = !isSpent(session);
  const told = await probed(session, context, gap.missing, pageSize, budget, previous.path);
  const repaired = collected.repaired + told.found.length;
  if (told.found.length > 0 && collected.label === "complete:proved" && !again) {
    distrustLists(context, `${told.found.length} quotes were found only by asking for them`);
    return compared(session, context, { ...(await collect(context)), repaired }, true);
  }
  // Neighbours of an old walk vanish as well: where asking settles nothing, a new walk is what helps.
  const isFutile = canAsk && told.unprobed.length === gap.missing.length;
  if (told.unprobed.length > MANY_UNPROBED && isSpent(session) && !isFutile) {
    throw new BudgetSpent(
      `Cannot ask for ${told.unprobed.length} quotes that were not met: the budget is spent, the next run goes on with them`,
      null,
    );
  }
  if (told.unprobed.length > 0) {
    remarks.push(
      `${told.unprobed.length} quotes were not seen, and it is not known whether they are gone: they stay`,
    );
  }
  return { collected: { ...collected, repaired }, missing: "remove gone" };
}

/** More quotes than this are asked for another night before the harvest is complete; fewer stay meanwhile. */
const MANY_UNPROBED = 5;

function isSpent({ settings, ledger }: Session): boolean {
  return settings.walk.maxRequests !== null && ledger.requests >= settings.walk.maxRequests;
}

/** Asks for quotes that were not met, and keeps what that showed for this night and the next. */
async function probed(
  session: Session,
  context: CollectContext,
  missing: readonly MissingQuote[],
  pageSize: number,
  budget: number,
  previous: string,
): Promise<Reconciled> {
  const { work, host, run, optional, settings } = session;
  const neighbours = (...question: [string | null, number, number]) => {
    run.flush();
    return neighboursIn(work, previous, question);
  };
  const lists = filtersOf(settings.selection);
  const told = await reconcile(
    missing,
    { lists, neighbours, optional, pageSize, budget },
    probing(session, context),
  );
  run.flush();
  run.saveGone(told.gone);
  carryUnprobed(work, host, told.unprobed, settings.now());
  return told;
}

/** The tag list can be done without: whatever keeps it from us, the quotes are published. */
async function readTags({
  client,
  run,
  report,
  settings,
  remarks,
  optional,
}: Session): Promise<void> {
  report({ kind: "phase", phase: "tags" });
  const pageSize = settings.walk.pageSize ?? GENEROUS_PAGE;
  const failed = (why: string): void => {
    remarks.push(`the tag list was not read, the one before stays: ${why}`);
  };
  const tags = await optional.ask(async () => {
    const all = await walkTags(tagsOf(client), pageSize);
    if (all === null) failed("it has no end");
    return all;
  }, failed);
  if (tags !== null) run.saveTags(tags);
}
