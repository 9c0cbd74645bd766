/** Recipes come back as they were kept, night after night, from a file that does not grow without end. */
import {
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  readdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Ledger } from "../../../src/render/ledger/ledger.ts";
import { BlockBuilder, readBlock } from "../../../src/render/recipes/block.ts";
import { RecipeFile } from "../../../src/render/recipes/recipe-file.ts";

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "commonplace-recipes-"));
  mkdirSync(join(stateDir, "fragments"));
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

type Piece = string | readonly [offset: number, length: number];

const SLACK = 20_000;
const open = (ledger: Ledger): RecipeFile =>
  new RecipeFile(ledger.recipes, { stateDir, bundle: "b0", fragments: 1, slackBytes: SLACK });
const openLedger = (): Ledger => new Ledger(stateDir, join(stateDir, "dist"));

function blockOf(pages: readonly (readonly Piece[])[]): Uint8Array {
  const builder = new BlockBuilder();
  for (const pieces of pages) {
    for (const piece of pieces) {
      if (typeof piece !== "string") builder.fragment(...piece);
      else builder.text(Buffer.from(piece), 0, Buffer.byteLength(piece));
    }
    builder.endPage();
  }
  return builder.take() ?? new Uint8Array();
}

/** What lies in the file for each page of the ledger. */
function readAll(ledger: Ledger): Record<string, Piece[]> {
  const [name = ""] = readdirSync(join(stateDir, "fragments"));
  const file = openSync(join(stateDir, "fragments", name), "r");
  const found: Record<string, Piece[]> = {};
  for (const [path, , , , block, place] of ledger.recipes.all()) {
    const pieces: Piece[] = [];
    const whole = readBlock(file, block)?.hand(place, {
      text: (bytes, from, to) => void pieces.push(bytes.toString("utf8", from, to)),
      fragment: (offset, length) => void pieces.push([offset, length]),
    });
    if (whole === true) found[path] = pieces;
  }
  closeSync(file);
  return found;
}

const piecesArbitrary = fc.array(
  fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 400 }),
    fc.tuple(fc.nat(2 ** 32 - 1), fc.nat(2 ** 30)),
  ),
  { maxLength: 6 },
);

test("a night's pages are found again after it, and after every later one; a killed night's are not", () => {
  const nightArbitrary = fc.record({
    pages: fc.dictionary(fc.constantFrom(..."abcdefghij"), piecesArbitrary, { maxKeys: 6 }),
    killed: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(nightArbitrary, { maxLength: 8 }), (nights) => {
      rmSync(join(stateDir, "pages.sqlite"), { force: true });
      const expected: Record<string, readonly Piece[]> = {};
      for (const { pages, killed } of nights) {
        const ledger = openLedger();
        const file = open(ledger);
        const paths = Object.keys(pages);
        if (paths.length > 0) {
          const bytes = blockOf(Object.values(pages));
          const block = file.append(bytes);
          ledger.record(
            paths.map((path, place) => ({
              ...{ path, key: "k", size: 1, mtime: 1, written: true },
              recipe: { block, place, share: Math.ceil(bytes.length / paths.length), checksum: 0 },
            })),
          );
        }
        if (!killed) file.save();
        for (const path of paths) {
          if (killed) delete expected[path];
          else expected[path] = pages[path] ?? [];
        }
        ledger.close();
      }
      const ledger = openLedger();
      open(ledger);
      expect(readAll(ledger)).toEqual(expected);
      ledger.close();
    }),
    { numRuns: 60 },
  );
});

test("after thirty nights the file has at most twice what is alive, and a rest", () => {
  const all = Array.from({ length: 400 }, (_, index) => `page/${index}`);
  const textOf = (path: string, night: number): string =>
    Array.from({ length: 20 }, (_, at) => `${path} ${night} ${Math.sin(at + night)}`).join(" ");
  const last = new Map<string, number>();
  const names = new Set<string>();
  const sizes: number[] = [];
  for (let night = 0; night < 30; night++) {
    const ledger = openLedger();
    const file = open(ledger);
    const paths = night === 0 ? all : all.filter((_, index) => index % 11 === night % 11);
    for (let from = 0; from < paths.length; from += 64) {
      const part = paths.slice(from, from + 64);
      const bytes = blockOf(part.map((path) => [textOf(path, night), [night, 5]]));
      const block = file.append(bytes);
      const share = Math.ceil(bytes.length / part.length);
      ledger.record(
        part.map((path, place) => ({
          ...{ path, key: `${night}`, size: 1, mtime: 1, written: true },
          recipe: { block, place, share, checksum: 0 },
        })),
      );
      for (const path of part) last.set(path, night);
    }
    file.save();
    const [name = "", ...others] = readdirSync(join(stateDir, "fragments"));
    expect(others).toEqual([]);
    names.add(name);
    const { size } = statSync(join(stateDir, "fragments", name));
    expect(size).toBeLessThanOrEqual(2 * ledger.recipes.liveBytes + SLACK);
    sizes.push(size);
    const expected = [...last].map(([path, of]) => [path, [textOf(path, of), [of, 5]]]);
    expect(readAll(ledger)).toEqual(Object.fromEntries(expected));
    ledger.close();
  }
  expect(names.size).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThan(3 * (sizes[0] ?? 0) + SLACK);
});

test("a page of more text than a block holds is not kept, and the others are", () => {
  const builder = new BlockBuilder();
  const large = Buffer.alloc(17_000_000, "x");
  const kept = [Buffer.from("first"), large, Buffer.from("second")].map((bytes) => {
    builder.text(bytes, 0, bytes.length);
    return builder.endPage();
  });
  expect(kept).toEqual([0, null, 1]);
});
