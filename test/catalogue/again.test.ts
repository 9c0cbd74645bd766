/** A catalogue made of the last one and of what changed since is the catalogue made of everything. */
import fc from "fast-check";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gatherAgain } from "../../src/catalogue/gather/again.ts";
import { Database } from "../../src/sqlite/database.ts";
import { openSiteWith } from "../../src/site/open-site.ts";
import { standIns } from "../support/make-site.ts";
import type { PictureLookup } from "../../src/images/lookup.ts";
import { makeSnapshot, type QuoteDraft } from "../support/make-snapshot.ts";
import { tempFolder } from "../support/temp-folder.ts";

const HIDDEN = { pks: [7], authors: ["Nobody"], tags: ["spam"] };
const SETTINGS = { perPage: 3, language: "en", date: "2026-11-21", minTagQuotes: 2 };
/** Another one for each address. */
const PICTURES: PictureLookup = {
  ...standIns(1),
  picture: (address) =>
    address === null ? null : { kind: "stand-in", width: address.charCodeAt(18), height: 1 },
};
const ALL = { pictureOf: () => null, isHidden: () => false };

const quoteArb = fc.record({
  text: fc.constantFrom("One.", "Two.", "Three."),
  likes: fc.integer({ min: -1, max: 250 }),
  author: fc.constantFrom(null, "Molière", "Moliere", "Nobody", "Толстой", "Ada", "Bo", "?"),
  tags: fc.uniqueArray(fc.constantFrom("Love", "love", "wit", "spam", "c++", "x", "y"), {
    maxLength: 4,
  }),
  language: fc.constantFrom("en", "he", "be", "xx"),
  image: fc.constantFrom(null, "https://x.example/a", "https://x.example/b"),
});

/** A night's news of one quote; null is that it is gone. */
const newsArb = fc.dictionary(
  fc.integer({ min: 1, max: 45 }).map(String),
  fc.option(quoteArb, { freq: 3 }),
  { maxKeys: 7 },
);
const nightsArb = fc.array(newsArb, { minLength: 1, maxLength: 4 });
const firstArb = fc.array(quoteArb, { minLength: 36, maxLength: 40 });

type Collection = Map<number, Omit<QuoteDraft, "id">>;

function publish(stateDir: string, night: number, quotes: Collection): string {
  const sorted = [...quotes].sort(([a], [b]) => a - b).map(([id, quote]) => ({ id, ...quote }));
  return makeSnapshot({ stateDir, stamp: `2026112${night}T020000000Z`, quotes: sorted }).path;
}

/** Every row that a page may read. */
function rowsOf(stateDir: string): string {
  openSiteWith({ ...SETTINGS, hidden: HIDDEN, pictures: PICTURES, stateDir }).close();
  const db = new Database(join(stateDir, "catalogue.sqlite"), { readOnly: true });
  const tables = ["kinds", "terms", "names", "pages", "related", "cards", "facts"];
  const rows = tables.map((table) => [...db.tuples(`SELECT * FROM ${table} ORDER BY 1, 2`)]);
  db.close();
  const plain = (_: string, value: unknown): unknown =>
    value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
  return JSON.stringify(rows, plain);
}

test("night after night, both are the same", () => {
  let again = 0;
  fc.assert(
    fc.property(firstArb, nightsArb, (first, nights) => {
      const stateDir = tempFolder("again");
      const anew = tempFolder("anew");
      const quotes: Collection = new Map(first.map((quote, index) => [index + 1, quote]));
      let last = publish(stateDir, 0, quotes);
      rowsOf(stateDir);
      for (const [night, news] of nights.entries()) {
        for (const [id, quote] of Object.entries(news)) {
          if (quote === null) quotes.delete(Number(id));
          else quotes.set(Number(id), quote);
        }
        const path = publish(stateDir, night + 1, quotes);
        publish(anew, night + 1, quotes);
        const snapshot = new Database(path, { immutable: true });
        const before = { snapshotPath: last, cataloguePath: join(stateDir, "catalogue.sqlite") };
        again += Number(gatherAgain(snapshot, quotes.size, before, ALL) !== null);
        snapshot.close();
        rmSync(join(anew, "catalogue.sqlite"), { force: true });
        expect(rowsOf(stateDir)).toBe(rowsOf(anew));
        last = path;
      }
      rmSync(stateDir, { recursive: true });
      rmSync(anew, { recursive: true });
    }),
    { numRuns: 60 },
  );
  expect(again).toBeGreaterThan(60);
});

test.each<[string, (last: string, stateDir: string) => void]>([
  ["the snapshot before is gone", (last) => rmSync(last)],
  ["the snapshot before is no database", (last) => writeFileSync(last, "nothing ".repeat(4_096))],
  ["the catalogue is of another snapshot", (last) => withoutQuote(last, 4)],
  [
    "the catalogue is damaged",
    (_, stateDir) => writeFileSync(join(stateDir, "catalogue.sqlite"), "nothing"),
  ],
])("everything is read where %s", (_, harm) => {
  const quotes: Collection = new Map(
    Array.from({ length: 40 }, (_, id) => [id + 1, { likes: id }]),
  );
  const stateDir = tempFolder("harmed");
  const last = publish(stateDir, 0, quotes);
  rowsOf(stateDir);
  quotes.set(3, { likes: 900 });
  quotes.delete(4);
  publish(stateDir, 1, quotes);
  harm(last, stateDir);
  const anew = tempFolder("anew");
  publish(anew, 1, quotes);
  expect(rowsOf(stateDir)).toBe(rowsOf(anew));
});

/** Puts a snapshot that never had a quote in the place of one that had it. */
function withoutQuote(path: string, id: number): void {
  const other: Collection = new Map(fortyQuotes().filter(([own]) => own !== id));
  copyFileSync(publish(tempFolder("other"), 0, other), path);
}

function fortyQuotes(): [number, { likes: number }][] {
  return Array.from({ length: 40 }, (_, place) => [place + 1, { likes: place }]);
}
