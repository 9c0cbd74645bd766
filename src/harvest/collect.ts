/** Reads each list of the selection by walk, audit and slices, and labels the result (docs/walk.md, section 1). */
import { StoppedEarly, WalkFailed } from "../contract/errors.ts";
import type { HarvestFact, HarvestLabel, SourceFact } from "../contract/facts.ts";
import { filterName, type Filter } from "../contract/window.ts";
import { counted } from "../util/text.ts";
import type { HarvestContext } from "./context.ts";
import { Pages } from "./pages.ts";
import { filtersOf } from "./selection.ts";
import { readAtOnce, remember } from "./slices/at-once.ts";
import { forgetSlices, readSlices, type Sliced } from "./slices/read.ts";
import { readSingly } from "./walk/singly.ts";
import { audit } from "./walk/audit.ts";
import type { ChainState } from "./walk/chain.ts";
import { walkToEnd } from "./walk/end.ts";
import { guardAgainstBadRecords } from "./walk/guards.ts";
import { rereadUnreadable } from "./walk/unreadable.ts";
import { WindowsOutdated } from "./walk/oldest.ts";

export type Collected = Pick<HarvestFact, "label" | "assumption" | "duplicates" | "repaired"> &
  Pick<SourceFact, "pageSize">;

interface Reading {
  readonly chain: ChainState;
  /** Null where the chain is a proof, or the service does not filter by length. */
  readonly sliced: Sliced | null;
}

export async function collect(context: HarvestContext): Promise<Collected> {
  const filters = filtersOf(context.selection);
  // The expected total applies only where there is one list.
  const expected = filters.length === 1 ? context.expected : null;
  const readings = await readLists(filters, context, expected);
  const sum = (key: "furthest" | "bad" | "duplicates" | "repaired"): number =>
    readings.reduce((total, { chain }) => total + chain[key], 0);
  guardAgainstBadRecords(sum("furthest"), sum("bad"), true, context);
  const doubtful = context.contents?.settle() ?? 0;
  return {
    // The collection has the label of its weakest list.
    ...readings
      .map(judge)
      .concat(doubtful > 0 ? judgeDoubtful(doubtful) : [])
      .reduce((worst, one) =>
        STRENGTH.indexOf(one.label) > STRENGTH.indexOf(worst.label) ? one : worst,
      ),
    duplicates: sum("duplicates"),
    repaired: sum("repaired"),
    pageSize: Math.max(0, ...readings.map(({ chain }) => chain.pageSize)),
  };
}

/** Reads all lists; anew where windows of earlier runs are outdated, once. */
async function readLists(
  filters: readonly Filter[],
  context: HarvestContext,
  expected: number | null,
): Promise<Reading[]> {
  for (let isFirst = true; ; isFirst = false) {
    const readings: Reading[] = [];
    try {
      for (const filter of filters) readings.push(await readList(filter, context, expected));
      return readings;
    } catch (error) {
      if (!(error instanceof WindowsOutdated) || !isFirst) throw error;
      const text = "quotes have other keys than in earlier runs: the walk begins anew";
      context.report({ kind: "remark", text });
      context.store.beginAnew(context.now?.() ?? context.store.started);
    }
  }
}

async function readList(
  filter: Filter,
  context: HarvestContext,
  expected: number | null,
): Promise<Reading> {
  const atOnce = await readAtOnce(filter, context, expected);
  if (atOnce !== null) return atOnce;
  context.report({ kind: "phase", phase: "walk" });
  const pages = new Pages(filter, context);
  const walked = await rereadUnreadable(pages, await walkToEnd(pages, expected));
  const chain = await audit(pages, walked);
  if (chain.end === 0 && context.store.lengths(filter).length > 0) refuseEmpty(context);
  if (chain.unstable === null && !chain.overcounted) {
    remember(filter, context, null);
    return { chain, sliced: null };
  }
  // If even the last page has a `next`, no slice shows that it is whole: each would be cut down to single quotes.
  if (chain.ended && !chain.cut && !chain.saysEnd && chain.saysNext) {
    return { chain: await walkToEnd(pages, expected, true), sliced: null };
  }
  if (chain.pageSize === 1 && !chain.cut) return readSingly(pages, chain);
  context.report({ kind: "remark", text: `${reasonOf(chain)}: reading in slices` });
  const sliced = await readSlices(filter, chain, context, expected);
  if (sliced !== null && !(chain.cut && sliced.flaw !== null)) {
    remember(filter, context, sliced.flaw === null ? chain : null);
    return { chain, sliced };
  }
  if (chain.circular) {
    throw new WalkFailed(
      `Cannot walk the collection: ${reasonOf(chain)}, and slices by length do not show it whole either; a walk needs a service that heeds offset`,
    );
  }
  if (chain.cut) {
    // The next run continues the walk.
    const { store } = context;
    forgetSlices(filter, store);
    store.saveState(filterName(filter), { ...chain, unstable: null, ended: false, cut: false });
    throw new StoppedEarly(
      `Cannot tell where the list ends: ${reasonOf(chain)}, and slices do not show it either; --allow-partial publishes what it shows`,
    );
  }
  return { chain: await walkToEnd(pages, expected, true), sliced: null };
}

/** A list that is empty after this run has read quotes of it: the service hides them for a time. */
function refuseEmpty({ store, now }: HarvestContext): never {
  const seen = counted(store.quotesSeen, "quote");
  // The next run must not continue a list that seems to be read.
  store.beginAnew(now?.() ?? store.started);
  throw new StoppedEarly(
    `Cannot tell whether the service has quotes: it lists none, after it has shown ${seen} in this run; run it again later`,
  );
}

/** Why the walk of a list is not a proof. */
function reasonOf({ unstable, count, end }: ChainState): string {
  return unstable ?? `the service counts ${count ?? 0} quotes, and shows ${end}`;
}

/** Makes the next `collect` read the lists in slices, although their walks seemed to be a proof. */
export function distrustLists({ selection, store }: HarvestContext, reason: string): void {
  for (const filter of filtersOf(selection)) {
    const state = store.state<ChainState>(filterName(filter));
    if (state !== null) store.saveState(filterName(filter), { ...state, unstable: reason });
  }
}

/** From the strongest to the weakest. */
const STRENGTH: readonly HarvestLabel[] = ["complete:proved", "complete:sliced", "best-effort"];

type Judgement = Pick<HarvestFact, "label" | "assumption">;

function judgeDoubtful(quotes: number): Judgement {
  const what = `only an answer that others contradict showed ${counted(quotes, "quote")}`;
  return { label: "best-effort", assumption: `none: ${what}` };
}

function judge({ chain, sliced }: Reading): Judgement {
  const { unstable, direction, single, overcounted } = chain;
  const isDoubted = unstable !== null || overcounted;
  const unsliced = isDoubted ? `${reasonOf(chain)}, and there are no slices` : null;
  const weakness = sliced === null ? unsliced : sliced.flaw;
  if (weakness !== null) return { label: "best-effort", assumption: `none: ${weakness}` };
  if (sliced === null) {
    const assumption = single
      ? "one request is one moment: the whole list came with it, and a second answer agreed"
      : `the service lists quotes by ${direction === "descending" ? "descending" : "ascending"} key; every window agreed`;
    return { label: "complete:proved", assumption };
  }
  const languages = sliced.hasLanguages ? ", and there are no languages but those seen" : "";
  return {
    label: "complete:sliced",
    assumption: `one request is one moment, and no quote changed its length or language meanwhile${languages} (${reasonOf(chain)})`,
  };
}
