/** All requests of a harvest, in order: the quotes, probes of missing quotes, the tag list, the list of curated quotes. */
import { counted } from "../../util/text.ts";
import { quoteOfTheDayOf, quotesOf, tagsOf } from "../../client/index.ts";
import { PublishRefused, StoppedEarly, WalkFailed } from "../../contract/errors.ts";
import { BudgetSpent } from "../../contract/ledger.ts";
import { boundRequests, idleAllowed } from "../bound.ts";
import { collect, distrustLists, type Collected } from "../collect.ts";
import { firstOverlap, GENEROUS_PAGE, type HarvestContext } from "../context.ts";
import { Contents } from "../contents.ts";
import { Furniture } from "../furniture.ts";
import { checkCurated, readCurated } from "../curated.ts";
import { pageSizeOf } from "../page-size.ts";
import { isSlice, type GetQuotes } from "../../contract/window.ts";
import { freshen, FRESHEN_REQUESTS } from "../optional.ts";
import { probesAllowed, reconcile, type ProbeOptions } from "../reconcile.ts";
import { readOf, type Rule } from "../policy.ts";
import { filtersOf, keeps } from "../selection.ts";
import { guardAgainstShrink, mayLose } from "../shrink.ts";
import { readTagList } from "../tags.ts";
import { cutIntoPages } from "../whole-answers.ts";
import { MOST_CURATED } from "../walk/check-filter.ts";
import {
  countCurated,
  countRenumbered,
  type CuratedRead,
  findGap,
  findMissedBefore,
  findNeighbours,
  findUnprobed,
  type KnownQuote,
  openPublishedLengths,
  saveUnprobed,
  type PublishedSnapshot,
} from "../../snapshot/index.ts";
import { ruleFor, type Host, type Session } from "./session.ts";

/** The result of all requests, and the rule by which it is published. */
export interface ReadWhole {
  readonly collected: Collected;
  readonly rule: Rule;
  readonly curated: CuratedRead;
}

/** The result when the list of curated quotes was not read. */
export const NO_CURATION: CuratedRead = { seen: "none", mayLose: 0 };

/** @throws {PublishRefused} when too many quotes are missing */
export async function readWhole(session: Session): Promise<ReadWhole> {
  const contents = contentsOf(session);
  const context = { ...contextOf(session), contents };
  try {
    return await readAll(session, context);
  } finally {
    session.remarks.push(...contents.remarks);
  }
}

function contentsOf({ run: store, client }: Session): Contents {
  return new Contents({ store, published: store.publishedQuote, narrow: () => client.narrow() });
}

async function readAll(session: Session, context: HarvestContext): Promise<ReadWhole> {
  const carried = await probeCarried(session, context);
  if (carried < MANY_CARRIED / 4) await freshenFirst(session, context);
  const collected = await collect(context);
  const { selection } = session.settings;
  const { guards } = ruleFor(session, readOf(collected.label, session.run.quotesSeen));
  if (session.run.quotesSeen === 0 && guards.includes("empty")) {
    // Empty answers beside failures are no evidence of an empty collection.
    const failed = session.client.faults;
    if (failed > 0) {
      // The next run must not continue a list that seems to be read.
      session.run.beginAnew(session.settings.now());
      throw new StoppedEarly(
        `Cannot tell whether the service has quotes: ${counted(failed, "request")} failed, and the other answers were empty; run it again later`,
      );
    }
    throw new PublishRefused(
      "Cannot publish this harvest: the service has no quotes for this selection",
    );
  }
  if (selection.curated) await checkCurated(context);
  const whole = await compareWithPrevious(session, context, collected);
  await readTags(session);
  if (!asksCurated(session) || wasTooLong(session)) return { ...whole, curated: NO_CURATION };
  return { ...whole, curated: await readCuration(session, context, collected.pageSize) };
}

function contextOf(session: Session): HarvestContext {
  const { settings, client, api, run: store, report, previous } = session;
  const { walk, selection } = settings;
  const expected = session.isSameSelection ? (previous?.count() ?? null) : null;
  const limits = {
    known: store.state<{ most: number | null }>("limits"),
    keep: (known: object) => store.saveState("limits", known),
    usual: store.trait<{ most: number | null }>("usual limit"),
    keepUsual: (usual: object) => store.saveTrait("usual limit", usual),
  };
  const sent = (): number => session.counts().requests;
  const furniture = new Furniture(store, keeps(selection));
  const languages = [...(previous?.languages() ?? [])].map(({ name }) => name);
  const served = quotesOf(client, limits, api, store.publishedQuote, languages);
  const get = furniture.wrap(cutIntoPages(served));
  // A request by length or by likes is never larger than what worked at the start of its list.
  const fitted: GetQuotes = (filter, offset, limit, attempts) => {
    const isOther = isSlice(filter) || filter.mostLiked;
    const list = { ...filter, mostLiked: false, minLength: filter.minLength ?? 0 };
    const most = isOther ? pageSizeOf(list, store).at(0, limit) : limit;
    return get(filter, offset, most, attempts);
  };
  return {
    ...{ store, selection, limits: walk, report, expected, furniture },
    now: settings.now,
    requestsLeft: () => session.requestsLeft(),
    published:
      session.isSameSelection && session.isSameSource && previous !== null
        ? openPublishedLengths(session.work, previous.path)
        : null,
    get: boundRequests(fitted, {
      store,
      selection,
      expected,
      sent,
    }),
    pageSize: walk.pageSize ?? GENEROUS_PAGE,
    // Requests sent in advance must not use up a small budget: some are needed to confirm answers.
    concurrency: Math.max(1, Math.min(walk.concurrency, Math.floor(session.requestsLeft() / 4))),
    overlap: firstOverlap(walk.concurrency),
  };
}

const ASKED = "probes of carried quotes";

/** Carried quotes up to which their share of a small budget grows, to a half. */
const MANY_CARRIED = 20;

/**
 * Probes the quotes that an earlier run could not probe. They get a tenth of a small budget or more: else they pile up.
 *
 * @returns the number that is left for another run
 */
async function probeCarried(session: Session, context: HarvestContext): Promise<number> {
  const { work, host, base, run, knownPageSize: pageSize } = session;
  if (base === null) return 0;
  // A question that was in vain is so until the walk has read more: it would cost one request each night.
  const asked = new Set(run.state<{ questions: string[] }>(ASKED)?.questions);
  const carried = findUnprobed(work, base.path, host);
  const share = Math.max(0.1, Math.min(0.5, carried.length / MANY_CARRIED));
  const affordable = Math.max(1, Math.round(session.requestsLeft() * share));
  const how = { pageSize, budget: Math.min(probesAllowed(0), affordable), asked };
  const { unknown } = await probeMissing(session, context, carried, how);
  run.saveState(ASKED, { questions: [...asked] });
  return unknown.length;
}

/** Reads the quotes that change most, where the budget does not allow to reach the end of the list. */
async function freshenFirst(session: Session, context: HarvestContext): Promise<void> {
  const { settings, run, client, optional, base, knownPageSize: pageSize } = session;
  const [list, ...more] = filtersOf(settings.selection);
  const isOne = list !== undefined && more.length === 0 && !list.curated && list.tag === null;
  if (base === null || pageSize === 0 || !isOne) return;
  const left = session.requestsLeft();
  const needed = (base.count() - run.quotesSeen) / pageSize;
  if (needed < left || left < 3 * FRESHEN_REQUESTS) return;
  const newest = Math.max(0, base.count() - Math.floor(pageSize / 2));
  await freshen(context, list, newest, quoteOfTheDayOf(client, session.api), optional);
}

async function compareWithPrevious(
  session: Session,
  context: HarvestContext,
  collected: Collected,
  again = false,
): Promise<Omit<ReadWhole, "curated">> {
  const { settings, previous, work, run, counts, host, remarks } = session;
  const rule = ruleFor(session, readOf(collected.label, run.quotesSeen));
  if (previous === null || rule.unseen !== "remove gone") return { collected, rule };
  const isSelected = keeps(settings.selection);
  const gap = findGap(work, previous.path, isSelected, host, run.started, asOf(previous));
  if (rule.guards.includes("shrink"))
    guardAgainstShrink(gap, ageOf(session, previous), () => countRenumbered(work, previous.path));
  const budget = probesAllowed(counts().requests);
  const canAsk = session.requestsLeft() > 0;
  const how = { pageSize: collected.pageSize, budget, asked: new Set<string>() };
  const { found, unknown: unprobed } = await probeMissing(session, context, gap.missing, how);
  const repaired = collected.repaired + found.length;
  if (found.length > 0 && collected.label === "complete:proved" && !again) {
    distrustLists(context, `${counted(found.length, "quote")} found only by probes`);
    return compareWithPrevious(session, context, { ...(await collect(context)), repaired }, true);
  }
  // The neighbours that probes need vanish with time: where no probe gives a result, only a new walk helps.
  const isFutile = canAsk && unprobed.length === gap.missing.length;
  if (unprobed.length > MANY_UNPROBED && session.requestsLeft() <= 0 && !isFutile) {
    throw new BudgetSpent(
      `Cannot probe ${counted(unprobed.length, "quote")} that the walk did not see: the budget is spent, the next run goes on with them`,
      null,
    );
  }
  if (unprobed.length > 0) {
    remarks.push(
      `${counted(unprobed.length, "quote")} kept that the walk did not see and that may be gone`,
    );
  }
  const isDoubted = collected.label === "complete:proved" && unprobed.length > MOST_UNEXPLAINED;
  const judged = isDoubted ? judgeUnexplained(unprobed.length) : {};
  return { collected: { ...collected, ...judged, repaired }, rule };
}

/** What was found to be gone is removed all the same: the list was read whole. */
function judgeUnexplained(quotes: number): Pick<Collected, "label" | "assumption"> {
  const what = `nothing shows whether ${counted(quotes, "quote")} that the walk did not see still exist`;
  return { label: "best-effort", assumption: `none: ${what}` };
}

/** When the published quotes were complete, ISO 8601; empty where that is unknown. */
function asOf(published: PublishedSnapshot | null): string {
  return published?.fact("asOf") ?? published?.fact("harvest")?.finished ?? "";
}

/** Milliseconds since the published quotes were complete; 0 where that is unknown. */
export function ageOf({ settings }: Session, published: PublishedSnapshot | null): number {
  const date = asOf(published);
  return date === "" ? 0 : settings.now() - Date.parse(date);
}

/** More unprobed quotes than this are left to another run, which completes the harvest; fewer stay published. */
const MANY_UNPROBED = 5;

/** Unprobed quotes up to which a harvest is proved. Slices prove less, and the walks of few requests a run need them. */
const MOST_UNEXPLAINED = 50;

/** Probes quotes that the walk did not see, and saves the answers for this run and the next. */
async function probeMissing(
  { client, work, host, run, optional, settings, previous }: Session,
  context: HarvestContext,
  missing: readonly KnownQuote[],
  how: Pick<ProbeOptions, "pageSize" | "budget" | "asked">,
): ReturnType<typeof reconcile> {
  const neighbours = (...place: [string | null, number, number]) =>
    previous === null ? [] : findNeighbours(work, previous.path, ...place);
  const missedBefore = findMissedBefore(work, host, run.started);
  // The server that did not show them may be one of several.
  if (missing.length > 0) client.renewConnections();
  const answers = await reconcile(missing, { neighbours, missedBefore, optional, ...how }, context);
  run.saveGone(answers.gone);
  saveUnprobed(work, host, answers.unknown, settings.now());
  return answers;
}

/** The tag list is optional: a failure only adds a remark. */
async function readTags(session: Session): Promise<void> {
  const { client, run, report, settings, previous } = session;
  report({ kind: "phase", phase: "tags" });
  const published = session.isSameSource ? (previous?.tagList() ?? []) : [];
  const pageSize = settings.walk.pageSize ?? GENEROUS_PAGE;
  const failed = (why: string): void => {
    const kept = published.length > 0 ? ", the one before is kept" : "";
    session.remarks.push(`the tag list was not read${kept}: ${why}`);
  };
  const read = async (): Promise<void> => {
    const tags = await readTagList(tagsOf(client, session.api), pageSize, published);
    if (tags === null) failed("it has no end, or two answers differ");
    else run.saveTags(tags);
  };
  await session.optional.ask(read, failed);
}

/** Assumed share of curated quotes: some services list a tenth as curated, others a fifth. */
export const CURATED_SHARE = 1 / 6;

const WEEK_MS = 7 * 86_400_000;

/** Whether this run reads the list of curated quotes. It changes slowly, and a first run needs its requests for the quotes. */
export function asksCurated({ settings, previous, isSameSource, knownCurated }: Host): boolean {
  const { askCurated } = settings.site;
  if (settings.selection.curated || askCurated === "never") return false;
  if (askCurated === "always" || settings.service.baseUrl === null) return true;
  if (previous === null || !isSameSource) return false;
  if (knownCurated === undefined) return true;
  // A date in the future comes from a clock that was ahead.
  return Math.abs(settings.now() - Date.parse(knownCurated.asOf)) >= WEEK_MS;
}

const TOO_LONG = "curated list";

/** Whether the list was too long lately: it is not begun again for a week. */
function wasTooLong({ run, settings }: Session): boolean {
  const at = run.trait<{ at: number }>(TOO_LONG)?.at ?? -Infinity;
  return settings.site.askCurated !== "always" && Math.abs(settings.now() - at) < WEEK_MS;
}

/** A service may send a few curated quotes at a time: all of them take no more requests than a whole collection may. */
function boundCurated(session: Session, { get }: HarvestContext, pageSize: number): GetQuotes {
  const before = session.counts().requests;
  const most = idleAllowed(session.run.quotesSeen, pageSize);
  return (...request) => {
    if (session.counts().requests - before < most) return get(...request);
    session.run.saveTrait(TOO_LONG, { at: session.settings.now() });
    throw new WalkFailed(
      `Cannot read the curated quotes: ${counted(most, "request")} did not bring them all, and the service sends few at a time`,
    );
  };
}

/** Reads the list of curated quotes, with the requests that are left. */
async function readCuration(
  session: Session,
  context: HarvestContext,
  pageSize: number,
): Promise<CuratedRead> {
  const { settings, run, work, optional, remarks, knownCurated } = session;
  const expected = knownCurated?.quotes ?? null;
  const probably = expected ?? run.quotesSeen * CURATED_SHARE;
  const needed = probably / Math.max(1, pageSize - context.overlap) + 2;
  const whyNot =
    session.requestsLeft() < needed
      ? "the budget is too small to read them"
      : optional.isSpent
        ? "too many requests failed before"
        : null;
  const read =
    whyNot === null
      ? await readCurated({ ...context, expected, get: boundCurated(session, context, pageSize) })
      : { seen: "none" as const, reason: whyNot };
  const all = countCurated(work) > MOST_CURATED * run.quotesSeen;
  const seen = all ? "none" : read.seen;
  const why = seen === read.seen ? read.reason : "nearly every quote is among them";
  if (why !== null) {
    const state = knownCurated === undefined ? "is not known" : "stays as it was read before";
    remarks.push(`which quotes are curated ${state}: ${why}`);
  }
  return {
    seen,
    mayLose: settings.walk.allowShrink
      ? Infinity
      : mayLose(expected ?? 0, ageOf(session, session.previous)),
  };
}
