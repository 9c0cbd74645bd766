/** Whether to ask which quotes are curated, and what the answer is worth. */
import type { CuratedFact } from "../../contract/harvest-result.ts";
import type { Selection } from "../../contract/window.ts";
import type { CollectContext } from "../../harvest/collect.ts";
import { MOST_CURATED, readCurated, type CuratedWalk } from "../../harvest/curated.ts";
import { CURATED_SHARE } from "../../harvest/estimate.ts";
import { mayLose } from "../../harvest/shrink.ts";
import { curatedSeen, type CuratedRead } from "../../snapshot/published/draft.ts";
import { sameSource, type Host, type Session } from "./session.ts";

/** What the published snapshot knows of the same service and selection; undefined when nothing. */
export function knownCurated(host: Host): CuratedFact | undefined {
  const { previous, settings } = host;
  const same =
    JSON.stringify(previous?.fact<Selection>("selection")) === JSON.stringify(settings.selection);
  return same && sameSource(host) ? previous?.fact<CuratedFact>("curated") : undefined;
}

const WEEK_MS = 7 * 86_400_000;

/**
 * Whether this night asks. Of curated quotes alone nothing needs telling apart; the list changes slowly, and a first
 * night's calls are the collection's (docs/walk.md, section 4).
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
  context: CollectContext,
  pageSize: number,
): Promise<CuratedRead> {
  const { settings, run, work, remarks } = session;
  const before = knownCurated(session);
  const { seen, reason } = await walkWithin(session, context, before, pageSize);
  run.flush();
  const all = curatedSeen(work) > MOST_CURATED * run.quotesSeen;
  const why = all && seen !== "none" ? "nearly every quote is among them" : reason;
  if (why !== null) {
    const stands = before === undefined ? "is not known" : "stands as it was read before";
    remarks.push(`which quotes are curated ${stands}: ${why}`);
  }
  return {
    seen: all ? "none" : seen,
    mayLose: settings.walk.allowShrink ? Infinity : mayLose(before?.quotes ?? 0),
  };
}

async function walkWithin(
  { settings, run, ledger, optional }: Session,
  context: CollectContext,
  before: CuratedFact | undefined,
  pageSize: number,
): Promise<CuratedWalk> {
  const expected = before?.quotes ?? run.quotesSeen * CURATED_SHARE;
  const needed = expected / Math.max(1, pageSize - context.overlap) + 2;
  const left = (settings.walk.maxRequests ?? Infinity) - ledger.requests;
  if (left < needed) return { seen: "none", reason: "the budget does not allow to read them" };
  if (optional.isSpent) return { seen: "none", reason: "too many requests failed before" };
  return readCurated({ ...context, expected: before?.quotes ?? null });
}

/** Where it makes no sense to ask, or nothing was asked yet. */
export const NO_CURATION: CuratedRead = { seen: "none", mayLose: 0 };
