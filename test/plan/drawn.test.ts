/** A drawn collection has the pages, files and bytes of real ones, and its cost grows with it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { costOf, drawnShape } from "../../src/plan/estimate/drawn.ts";
import { shapeOf, sizeOfSite, type SiteShape } from "../../src/plan/estimate/size.ts";
import { scaleRows } from "../../scripts/tables/scale.ts";
import { seeded } from "../support/run/index.ts";
import { countNames } from "../support/snapshot/index.ts";

const SETTINGS = { perPage: 50, quotePages: 20_000, minTagQuotes: 1, embeds: 0, cards: 2_000 };

const sizeOf = (shape: SiteShape) => {
  const { pages, files, bytes } = sizeOfSite(shape, SETTINGS, { days: 1, votes: false });
  return { pages: Object.values(pages).reduce((sum, number) => sum + number, 0), files, bytes };
};

interface Real {
  readonly quote: string;
  readonly author: string | null;
  readonly tags: readonly string[];
  readonly language: string;
}

function shapeOfReal(quotes: readonly Real[]): SiteShape {
  const bytes = quotes.reduce((sum, { quote }) => sum + Buffer.byteLength(quote), 0);
  return shapeOf(
    {
      tag: countNames(quotes.flatMap(({ tags }) => tags)),
      author: countNames(quotes.map(({ author }) => author)),
      language: countNames(quotes.map(({ language }) => language)),
    },
    [],
    { textBytes: bytes / quotes.length, pictures: 0 },
  );
}

const folder = process.env["REAL_QUOTES"] ?? "";

describe.skipIf(folder === "")("against real quotes", () => {
  const readReal = (): Real[] => {
    const bytes = readFileSync(join(folder, "quotes.ndjson.gz"));
    const lines = gunzipSync(bytes).toString().trim().split("\n");
    return lines.map((line) => JSON.parse(line) as Real);
  };

  test.each([985, 20_000, 190_340])("the estimate of %i quotes is within 15 %", (count) => {
    const chance = seeded(count);
    const keyed = readReal()
      .map((quote) => [chance(), quote] as const)
      .sort(([a], [b]) => a - b);
    const truth = sizeOf(shapeOfReal(keyed.slice(0, count).map(([, quote]) => quote)));
    const drawn = sizeOf(drawnShape(count));
    for (const name of ["pages", "files", "bytes"] as const) {
      expect(drawn[name] / truth[name], name).toBeGreaterThan(0.85);
      expect(drawn[name] / truth[name], name).toBeLessThan(1.15);
    }
  });
});

test("a drawn collection has about the quotes that were asked for, in each kind of listing", () => {
  for (const count of [1, 10, 985, 190_340, 1_000_000]) {
    const { terms, quotes } = drawnShape(count);
    expect(quotes).toBe(count);
    const listed = terms.author.reduce((sum, own) => sum + own, 0);
    expect(Math.abs(listed - count)).toBeLessThanOrEqual(1);
  }
});

test("docs/scale.md has the figures of the estimate, within 20 %", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/scale.md"), "utf8");
  const written = [...text.matchAll(/^\| (\d[\d,.]* .*) \|$/gm)].map(([, cells = ""]) =>
    cells.split("|"),
  );
  const rows = scaleRows();
  expect(written).toHaveLength(rows.length);
  const numberOf = (cell = ""): number => Number(cell.trim().replaceAll(",", ""));
  for (const [index, row] of rows.entries()) {
    for (const [place, cell] of row.slice(0, -1).entries()) {
      const ratio = numberOf(written[index]?.[place]) / numberOf(cell);
      expect(Math.abs(ratio - 1), `${row[0]}, column ${place}`).toBeLessThan(0.2);
    }
  }
});

test("costOf() grows with the collection, and a night costs less than a build from nothing", () => {
  const costs = [10_000, 100_000, 1_000_000].map((count) => {
    const shape = drawnShape(count);
    const size = sizeOfSite(shape, SETTINGS, { days: 1, votes: false });
    const pages = Object.values(size.pages).reduce((sum, number) => sum + number, 0);
    return { ...costOf(shape, size, { perPage: SETTINGS.perPage, pageSize: 100 }), pages };
  });
  for (const { minutes, rewritten, pages } of costs) {
    expect(minutes.night).toBeLessThan(minutes.first);
    expect(minutes.quarter).toBeLessThan(minutes.first);
    expect(rewritten).toBeGreaterThan(pages / 100);
    expect(rewritten).toBeLessThan(pages);
  }
  expect(costs.map(({ requests }) => requests)).toEqual([100, 1_000, 10_000]);
  expect(costs.map(({ memoryGb }) => memoryGb)).toEqual(
    costs.map(({ memoryGb }) => memoryGb).toSorted((a, b) => a - b),
  );
});
