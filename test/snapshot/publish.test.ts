/** What is published: merged or replaced, whole or not at all, and the same to every reader. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { decodeQuote } from "../../src/contract/decode.ts";
import type { Quote, WireQuote } from "../../src/contract/quote.ts";
import { EVERYTHING, filterName } from "../../src/contract/window.ts";
import { Draft, type Missing } from "../../src/snapshot/published/draft.ts";
import { publish as publishDraft } from "../../src/snapshot/published/publish.ts";
import {
  listSnapshots,
  readPointer,
  snapshotPath,
  tidySnapshots,
} from "../../src/snapshot/published/pointer.ts";
import { openPublished } from "../../src/snapshot/index.ts";
import { Run } from "../../src/snapshot/work/run.ts";
import { openIntactWork } from "../../src/snapshot/recover.ts";
import { collectionOf, wireQuote } from "../support/service/index.ts";
import { json } from "../support/http/index.ts";
import { tempFolder } from "../support/run/index.ts";
import { startSnapshots } from "./snapshots.ts";

const SELECTION = { languages: [], tags: [], curated: false };

function quoteOf(wire: WireQuote): Quote {
  const decoded = decodeQuote(wire);
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.value;
}

/** Reads the quotes as one window, and publishes. */
async function publish(
  stateDir: string,
  wire: readonly WireQuote[],
  missing: Missing,
  now = 0,
  { since = "2026-11-21T00:00:00.000Z", isNews = true } = {},
) {
  const work = openIntactWork(stateDir);
  const run = new Run(work, "host", SELECTION, now);
  const previous = openPublished(stateDir);
  try {
    const quotes = wire.map(quoteOf);
    run.save({
      window: {
        filter: filterName(EVERYTHING),
        kind: "walk",
        offset: 0,
        got: quotes.length,
        pks: quotes.map(({ id }) => id),
        isLast: true,
      },
      quotes,
      quarantined: [],
    });
    const draft = new Draft(work, stateDir, previous?.path ?? null, () => true);
    const change = draft.fill(missing, since, isNews && previous !== null);
    draft.writeFacts({ harvest: { label: "complete:proved" } });
    const id = await publishDraft(draft, stateDir, now);
    run.end("published");
    return { id, change };
  } finally {
    previous?.close();
    work.close();
  }
}

function published(stateDir: string) {
  const snapshot = openPublished(stateDir);
  if (snapshot === null) throw new Error("nothing is published");
  onTestFinished(() => snapshot.close());
  return snapshot;
}

test("publish() keeps the version of a quote that was served last, and the first text", async () => {
  const stateDir = tempFolder();
  const later = wireQuote(1, { quote: "Later.", likes: 9 });
  await publish(stateDir, [wireQuote(1, { quote: "Earlier.", likes: 2 }), later], "remove all");
  expect(published(stateDir).quote(1)).toMatchObject({ text: "Earlier.", likes: 2 });
  await publish(stateDir, [wireQuote(1, { likes: 2 }), wireQuote(1, { likes: 9 })], "remove all");
  expect(published(stateDir).quote(1)).toMatchObject({ likes: 9 });
});

test("a snapshot gives back what was put in, counted by author, tag and language", async () => {
  const stateDir = tempFolder();
  const wire = [
    wireQuote(3, { author: "Ada", tags: ["a", "b"], language: "en" }),
    wireQuote(1, { author: null, tags: [], language: "he" }),
    wireQuote(2, { author: "Ada", tags: ["b"], quote: "Yes. Ada", language: "en" }),
  ];
  const { id } = await publish(stateDir, wire, "remove all");
  const snapshot = published(stateDir);
  expect(snapshot.id).toBe(id);
  expect(snapshot.count()).toBe(3);
  expect([...snapshot.all()].map((quote) => quote.id)).toEqual([1, 2, 3]);
  expect(snapshot.quote(2)).toMatchObject({ text: "Yes.", served: { quote: "Yes. Ada" } });
  expect(snapshot.quote(99)).toBeUndefined();
  expect([...snapshot.authors()]).toEqual([
    { name: null, quotes: 1 },
    { name: "Ada", quotes: 2 },
  ]);
  expect([...snapshot.tags()]).toEqual([
    { name: "a", quotes: 1 },
    { name: "b", quotes: 2 },
  ]);
  expect([...snapshot.languages()]).toEqual([
    { name: "en", quotes: 2 },
    { name: "he", quotes: 1 },
  ]);
  expect(snapshot.fact("harvest")).toEqual({ label: "complete:proved" });
});

test("what a killed run left behind is not published and is cleared away", async () => {
  const stateDir = tempFolder();
  const { id } = await publish(stateDir, collectionOf(3), "remove all");
  const folder = tidySnapshots(stateDir);
  for (const stray of ["draft.unfinished", "next.unfinished", "next.unfinished-journal"]) {
    writeFileSync(join(folder, stray), "half");
  }
  tidySnapshots(stateDir);
  expect(readdirSync(folder)).toEqual([`${id}.sqlite`]);
  expect(readPointer(stateDir)).toBe(id);
});

test.each([
  [
    "the file is cut short",
    (dir: string) => writeFileSync(snapshotPath(dir, readPointer(dir) ?? ""), "SQLite format 3\0"),
  ],
  [
    "the file is something else",
    (dir: string) => writeFileSync(snapshotPath(dir, readPointer(dir) ?? ""), "<html>"),
  ],
])("openPublished() refuses in one line when %s", async (_, damage) => {
  const stateDir = tempFolder();
  await publish(stateDir, collectionOf(3), "remove all");
  damage(stateDir);
  expect(() => openPublished(stateDir)).toThrow(/^Cannot use /);
});

test("a quote is new from the day that it is first seen, for a season, and not when it comes back", async () => {
  const stateDir = tempFolder();
  const newest = () =>
    published(stateDir)
      .newDays(9)
      .map(({ date, ids }) => [date, ...ids()]);
  const night = (pks: readonly number[], at: number, since: string, isNews = true) =>
    publish(
      stateDir,
      pks.map((pk) => wireQuote(pk, { likes: pk })),
      "remove all",
      at,
      {
        since,
        isNews,
      },
    );
  await night([1, 2], 0, "2026-01-01T01:00:00Z");
  expect(newest()).toEqual([]);
  await night([1, 2, 3], 1, "2026-01-02T01:00:00Z", false);
  expect(newest()).toEqual([]);
  await night([1, 3, 4, 5], 2, "2026-01-03T01:00:00Z");
  await night([1, 2, 3, 4, 5, 6], 3, "2026-01-04T01:00:00Z");
  expect(newest()).toEqual([
    ["2026-01-04", 6],
    ["2026-01-03", 5, 4],
  ]);
  await night([1, 2, 3, 4, 6], 4, "2026-04-04T00:00:00Z");
  expect(newest()).toEqual([["2026-01-04", 6]]);
});

function contentOf(stateDir: string): string {
  using snapshot = openPublished(stateDir);
  return snapshot?.content() ?? "";
}

test("a snapshot has the name of the one before where quotes and tags are the same, and of none otherwise", async () => {
  const harvests = await startSnapshots(60);
  const { service } = harvests;
  const edit = (pk: number, fields: Partial<WireQuote>): void => {
    service.quotes = service.quotes.map((quote) =>
      quote.pk === pk ? { ...quote, ...fields } : quote,
    );
  };
  const names: string[] = [];
  const night = async (): Promise<boolean> => {
    await harvests.publish();
    const name = contentOf(harvests.stateDir);
    const isNew = !names.includes(name);
    names.push(name);
    return isNew;
  };
  expect(await night()).toBe(true);
  expect(await night()).toBe(false);
  const changes: Readonly<Record<string, () => unknown>> = {
    text: () => edit(7, { quote: "Other words." }),
    likes: () => edit(8, { likes: 4_321 }),
    "one quote for another": () => {
      service.quotes = [...service.quotes.filter(({ pk }) => pk !== 9), wireQuote(61)];
    },
    "tags alone": () => {
      const results = [{ name: "tag-1", slug: "one" }];
      const tags = json({ count: 1, next: null, previous: null, results });
      service.fault = ({ url }) => (url.pathname === "/apiv1/tags/" ? tags : null);
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    change();
    expect(await night(), what).toBe(true);
    expect(await night(), `${what}, a night later`).toBe(false);
  }
  // It has the quote that another replaced since.
  const [oldest = ""] = listSnapshots(harvests.stateDir);
  harvests.snapshots("use", oldest);
  expect(harvests.keys()).not.toContain(9);
  expect(names).not.toContain(contentOf(harvests.stateDir));
});
