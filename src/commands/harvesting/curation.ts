/** Whether to ask which quotes are curated, and what the answer is worth. */
import type { CuratedFact } from "../../contract/results.ts";
import type { HarvestContext } from "../../harvest/context.ts";
import { readCurated, type CuratedWalk } from "../../harvest/curated.ts";
import { mayLose } from "../../harvest/shrink.ts";
import { MOST_CURATED } from "../../harvest/walk/check-filter.ts";
import { countCurated, type CuratedRead } from "../../snapshot/published/draft.ts";
import { requestsLeft, sameSelection, sameSource, type Host, type Session } from "./session.ts";

/** Curated quotes among all, where it is not known; some services list a tenth as curated, some a fifth. */
export const CURATED_SHARE = 1 / 6;

const WEEK_MS = 7 * 86_400_000;

/** Where it makes no sense to ask, or nothing was asked yet. */
export const NO_CURATION: CuratedRead = { seen: "none", mayLose: 0 };

/** What the published snapshot knows of the same service and selection; undefined when nothing. */
export function knownCurated(host: Host): CuratedFact | undefined {
  const isSame = sameSelection(host) && sameSource(host);
  return isSame ? host.previous?.fact<CuratedFact>("curated") : undefined;
}

/**
 * Whether this run asks. Where all quotes are curated there is nothing to ask; the list changes slowly, and a first run
 * needs its requests for the collection.
 */
export function asksCurated(host: Host): boolean {
  const { settings, previous } = host;
  const { askCurated } = settings.site;
  if (settings.selection.curated || askCurated === "never") return false;
  if (askCurated === "always" || settings.service.baseUrl === null) return true;
  if (previous === null || !sameSource(host)) return false;
  const asked = knownCurated(host)?.asOf;
  return asked === undefined || settings.now() - Date.parse(asked) >= WEEK_MS;
}

/** Comes last: it may take what the budget leaves. */
export async function readCuration(
  session: Session,
  context: HarvestContext,
  pageSize: number,
): Promise<CuratedRead> {
  const { settings, run, work, optional, remarks } = session;
  const before = knownCurated(session);
  const expected = before?.quotes ?? null;
  const probably = expected ?? run.quotesSeen * CURATED_SHARE;
  const needed = probably / Math.max(1, pageSize - context.overlap) + 2;
  const { seen, reason }: CuratedWalk =
    requestsLeft(session) < needed
      ? { seen: "none", reason: "the budget does not allow to read them" }
      : optional.isSpent
        ? { seen: "none", reason: "too many requests failed before" }
        : await readCurated({ ...context, expected });
  const all = countCurated(work) > MOST_CURATED * run.quotesSeen;
  const why = all && seen !== "none" ? "nearly every quote is among them" : reason;
  if (why !== null) {
    const stays = before === undefined ? "is not known" : "stays as it was read before";
    remarks.push(`which quotes are curated ${stays}: ${why}`);
  }
  return {
    seen: all ? "none" : seen,
    mayLose: settings.walk.allowShrink ? Infinity : mayLose(before?.quotes ?? 0),
  };
}
