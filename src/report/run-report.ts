/**
 * The report of a run. The page about the build, the summary and the annotations of a CI run, `build.json` and the history are
 * made from it or from its parts.
 */
import { z } from "zod";
import { harvestFactSchema, runFactSchema } from "../contract/facts.ts";
import { isStale } from "../contract/stale.ts";

const count = z.int().min(0);
const changes = z.object({ added: count, changed: count, removed: count }).readonly();
const countsByName = z.record(z.string(), count).readonly();
const thumbnails = z.object({ made: count, reused: count, failed: count });
/** An id of a snapshot. */
const snapshot = z.string().max(100);

/** What `build.json` says of a finished site. It is public, so it contains no secret and no local path. */
const buildReport = z
  .object({
    /** ISO 8601, UTC. */
    built: z.string(),
    /** Id of the rendered snapshot. */
    snapshot,
    /** Null where the snapshot does not store it. */
    harvest: harvestFactSchema.nullable(),
    /** When all quotes were last read, ISO 8601; null where unknown. */
    dataAsOf: z.string().nullable(),
    quotes: count,
    /** Quotes that say the same as another, which is shown in their place; not in `quotes`. Reports of older versions lack it. */
    copies: count.default(0),
    /** Quotes by the service's language code. */
    languages: countsByName,
    /** Pages by their kind. */
    pages: countsByName,
    /** Addresses that differ from the previous build; `build-changes.ndjson` in the state lists them. */
    changes,
    /** Null for a build without thumbnails. */
    thumbnails: thumbnails.readonly().nullable(),
    /** Of the site, without this report. */
    files: count,
    bytes: count,
    audit: z.enum(["passed", "failed", "unfinished"]),
  })
  .readonly();

export type BuildReport = z.output<typeof buildReport>;

/** Names of which several spellings count as one: how many, and the first few. */
const mergedNames = z.object({
  total: count,
  first: z.array(
    z.object({
      kind: z.enum(["author", "tag"]),
      name: z.string(),
      others: z.array(z.string()).readonly(),
    }),
  ),
});

const pictureFailure = z.object({ address: z.string(), reason: z.string(), detail: z.string() });

const runReport = z.object({
  /** When the run ended, ISO 8601 in UTC. */
  at: z.iso.datetime(),
  /** Exit status of the process. */
  status: z.int().min(0).max(255),
  /** The reason, in one line; null for a run that did not fail. */
  failure: z.string().nullable(),
  /** Id of the snapshot that is published now; null for none. */
  snapshot: snapshot.nullable(),
  /** Quotes that are published. */
  quotes: count.nullable(),
  /** When they were read, ISO 8601; null without a snapshot. */
  dataAsOf: z.string().nullable(),
  staleAfterDays: z.number(),
  /** Null for a run without a harvest. */
  harvest: harvestFactSchema.extend(runFactSchema.shape).nullable(),
  merged: mergedNames.nullable(),
  pictures: thumbnails.extend({ failures: z.array(pictureFailure).readonly() }).nullable(),
  build: buildReport.nullable(),
  /** Null where no audit was made; the first findings, in one line each. */
  audit: z
    .object({ pages: count, total: count, findings: z.array(z.string()).readonly() })
    .nullable(),
  /** What the settings leave undone, in one line each. */
  notes: z.array(z.string()).readonly(),
  /** Limits of the settings and the host; null for no limit. */
  budget: z.object({
    calls: count.nullable(),
    waitMs: count,
    files: count.nullable(),
    bytes: count.nullable(),
  }),
  /** Milliseconds of each stage by its title, in the order in which they ran. */
  stages: z.record(z.string().max(40), count).readonly(),
});

export type RunReport = Readonly<z.output<typeof runReport>>;

/** A line of the history, also of a run that failed. It holds numbers only, no text that the service sent. */
export const historyEntry = runReport
  .pick({ at: true, status: true, snapshot: true, quotes: true, stages: true })
  .extend({
    /** Label of the harvest that made the snapshot. */
    label: z.string().max(40).nullable(),
    change: changes.nullable(),
    /** Requests of the run, milliseconds waited because the service asked for it, retries, unreadable records. */
    calls: count.nullable(),
    waitedMs: count.nullable(),
    retries: count.nullable(),
    quarantined: count.nullable(),
    /** Pages that differ from the previous build. */
    pages: changes.nullable(),
    pictures: thumbnails.nullable(),
    files: count.nullable(),
    bytes: count.nullable(),
    /** Null where no audit was made. */
    findings: count.nullable(),
  });

export type HistoryEntry = Readonly<z.output<typeof historyEntry>>;

/** The line of the history about a run. */
export function entryOf(report: RunReport): HistoryEntry {
  const { harvest, build, audit } = report;
  return historyEntry.parse({
    ...report,
    label: harvest?.label ?? null,
    change: harvest?.change ?? null,
    calls: harvest?.calls ?? null,
    waitedMs: harvest === null ? null : Math.round(harvest.waitedMs),
    retries: harvest?.retries ?? null,
    quarantined: harvest?.quarantined ?? null,
    pages: build?.changes ?? null,
    files: build?.files ?? null,
    bytes: build?.bytes ?? null,
    findings: audit?.total ?? null,
  } satisfies Record<keyof HistoryEntry, unknown>);
}

/** Milliseconds of all stages. */
export function durationOf({ stages }: Pick<RunReport, "stages">): number {
  return Object.values(stages).reduce((sum, ms) => sum + ms, 0);
}

/** Whether the published quotes are older than the site allows. */
export function isOld({ dataAsOf, at, staleAfterDays }: RunReport): boolean {
  return isStale(dataAsOf, staleAfterDays, Date.parse(at));
}

/** The spent share of each budget that has a limit, from 0. */
export function spentShares({ harvest, build, budget }: RunReport): [string, number][] {
  const spent: [string, number | undefined, number | null | undefined][] = [
    ["Calls", harvest?.calls, budget.calls ?? harvest?.quota?.limit],
    ["Files", build?.files, budget.files],
    ["Bytes", build?.bytes, budget.bytes],
  ];
  return spent.flatMap(([name, used, most]): [string, number][] =>
    used === undefined || typeof most !== "number" ? [] : [[name, used / Math.max(1, most)]],
  );
}
