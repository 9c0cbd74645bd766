/**
 * Drift as a property (docs/walk.md, section 10): whatever happens between requests, a harvest that calls itself complete holds
 * every quote that was there throughout, and nothing that was never served.
 *
 * `DRIFT_SCHEDULES=10000 npx vitest run test/harvest/drift/drift.test.ts` tries more of them.
 */
// @module-tag sized
import fc from "fast-check";
import { expect, test } from "vitest";
import { StoppedEarly, WalkFailed } from "../../../src/contract/errors.ts";
import type { WireQuote } from "../../../src/contract/quote.ts";
import { isComplete } from "../../../src/contract/facts.ts";
import { firstOverlap } from "../../../src/harvest/context.ts";
import { seeded } from "../../support/run/index.ts";
import { batched, drawn } from "../../support/tier.ts";
import { DriftingCollection, STABLE, UNSTABLE, type Change, type OrderKind } from "./collection.ts";
import { ONCE_LOST, type Schedule } from "./known.ts";
import { harvestDrifting, lost, type DriftHow, type DriftOutcome } from "./harvest.ts";

const { batches, timeout } = batched("DRIFT_SCHEDULES", 60, 2_000, 200);
const SEED = process.env["SEED"];

/** Share of the schedules that end complete, at least: those that do not promise nothing. */
const LEAST_COMPLETE = 0.3;

const change: fc.Arbitrary<Change> = fc.record({
  // Deletes break links, so they come more often than the rest.
  kind: fc.constantFrom(
    "insert",
    "delete",
    "delete",
    "delete",
    "vote",
    "edit",
    "rewrite",
    "reorder",
  ),
  at: fc.nat(1_000),
  by: fc.integer({ min: -3, max: 3 }),
});

const schedule = fc.record({
  kind: fc.constantFrom<OrderKind>(...STABLE, ...UNSTABLE),
  size: fc.nat(120),
  cap: fc.integer({ min: 1, max: 25 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  overlap: fc.integer({ min: 1, max: 6 }),
  seed: fc.integer(),
  changes: fc.array(fc.array(change, { maxLength: 5 }), { maxLength: 60 }),
}) satisfies fc.Arbitrary<Schedule>;

async function play({ kind, size, changes, ...how }: Schedule) {
  const collection = new DriftingCollection(kind, size, seeded(how.seed));
  const before: DriftHow["changes"] = (request) => changes[request] ?? [];
  try {
    const outcome = await harvestDrifting(collection, { ...how, changes: before });
    return { collection, outcome };
  } catch (error) {
    // A walk that goes in circles, or finds no end, is never complete: that too loses no quote.
    if (error instanceof WalkFailed || error instanceof StoppedEarly)
      return { collection, outcome: null };
    throw error;
  }
}

function invented(collection: DriftingCollection, { quotes }: DriftOutcome): number[] {
  return quotes
    .filter(({ id, text, served }) => !collection.wasServed(id, served?.quote ?? text))
    .map(({ id }) => id);
}

test.each(batches)(
  "a complete harvest lost nothing and invented nothing, in $count schedules from $first on",
  async ({ index, count }) => {
    const played = { all: 0, complete: 0 };
    await fc.assert(
      fc.asyncProperty(schedule, async (drawn) => {
        const { collection, outcome } = await play(drawn);
        played.all++;
        if (outcome === null) return;
        if (isComplete(outcome.label)) played.complete++;
        expect(invented(collection, outcome)).toEqual([]);
        if (isComplete(outcome.label)) expect(lost(collection, outcome)).toEqual([]);
      }),
      {
        numRuns: count,
        ...(SEED === undefined ? {} : { seed: Number(SEED) + index }),
        endOnFailure: batches.length > 1,
        examples: index > 0 ? [] : ONCE_LOST.map((known): [Schedule] => [known]),
      },
    );
    process.stdout.write(`${played.complete} of ${played.all} schedules of drift were complete\n`);
    expect(played.complete / played.all).toBeGreaterThan(LEAST_COMPLETE);
  },
  timeout,
);

/** Hides one quote from every answer, though it is there throughout. */
class HidingCollection extends DriftingCollection {
  override serve(...call: Parameters<DriftingCollection["serve"]>) {
    const page = super.serve(...call);
    return { ...page, results: page.results.filter((one) => (one as WireQuote).pk !== HIDDEN) };
  }
}

const HIDDEN = 7;

test("the campaign of drift finds a quote that every answer hides", async () => {
  const collection = new HidingCollection("by key", 40, seeded(1));
  const how = { cap: 20, concurrency: 1, overlap: 3, seed: 1, changes: () => [] };
  const outcome = await harvestDrifting(collection, how);
  expect(isComplete(outcome.label)).toBe(true);
  expect(lost(collection, outcome)).toEqual([HIDDEN]);
});

/** Requests that a confirmed end takes, and the question by length. */
const EVIDENCE = 3;

/** Windows that are requested again since quotes came in at the front, as if the window before had lacked some. */
const DOUBTED = 4;

/** A steady rate of changes. */
function steady(rate: Partial<Record<Change["kind"], number>>, seed: number): DriftHow["changes"] {
  const random = seeded(seed);
  const drawn = (kind: Change["kind"]): Change => ({
    kind,
    at: Math.floor(random() * 3_000),
    by: random() < 0.5 ? -1 : 1,
  });
  return () =>
    Object.entries(rate).flatMap(([kind, often]) => {
      const times = Math.floor(often) + (random() < often % 1 ? 1 : 0);
      return Array.from({ length: times }, () => drawn(kind as Change["kind"]));
    });
}

test.each([
  ["by key", {}],
  ["by key", { delete: 0.5 }],
  ["by key", { insert: 0.5, delete: 0.5, vote: 2 }],
  ["newest first", { insert: 0.5, delete: 0.5, vote: 2 }],
] as const)("3,000 quotes %s, %j a request: none lost, few requests", async (kind, rate) => {
  // What comes in at the end while that is confirmed opens it again.
  const inserted = "insert" in rate ? (kind === "by key" ? 6 : DOUBTED) : 0;
  for (const seed of drawn([2, 1, 3, 4], 2)) {
    const collection = new DriftingCollection(kind, 3_000, seeded(seed));
    const concurrency = 1 + (seed % 4);
    const how = { cap: 100, concurrency, overlap: firstOverlap(concurrency), seed };
    const outcome = await harvestDrifting(collection, { ...how, changes: steady(rate, seed) });
    expect(outcome.label).toBe("complete:proved");
    expect(lost(collection, outcome)).toEqual([]);
    const pages = Math.ceil(Math.max(3_000, collection.size) / 100);
    expect(collection.requests).toBeLessThanOrEqual(1.05 * pages + 5 + EVIDENCE + inserted);
  }
});

test.each([
  ["by likes", { vote: 2 }],
  ["as written", { vote: 2 }],
  ["random", { vote: 1, insert: 0.5, delete: 0.5 }],
] as const)("3,000 quotes %s, %j a request: sliced, none lost", async (kind, rate) => {
  for (const seed of drawn([1, 2, 3], 1)) {
    const collection = new DriftingCollection(kind, 3_000, seeded(seed));
    const how = { cap: 100, concurrency: 2, overlap: firstOverlap(2), seed };
    const outcome = await harvestDrifting(collection, { ...how, changes: steady(rate, seed) });
    expect(outcome.label).toBe("complete:sliced");
    expect(lost(collection, outcome)).toEqual([]);
    // The walk may have missed quotes, so each slice is read twice.
    expect(collection.requests).toBeLessThanOrEqual(4 * 30);
  }
});
