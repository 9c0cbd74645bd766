/** Kept fragments come back as they were, in every thread and in the next run, or not at all. */
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FragmentFile } from "../../src/render/fragments/fragment-file.ts";
import { Fragments } from "../../src/render/fragments/fragments.ts";
import type { FragmentPart, FragmentStore } from "../../src/render/inside/types.ts";

let stateDir: string;
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "commonplace-fragments-"));
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

const open = (pages = 0, memoryBytes?: number): FragmentFile =>
  new FragmentFile(stateDir, "0123456789abcdef", { expected: 100, pages, memoryBytes });

/** Some component. */
const OF = 7;

/** What a store has for a key, as text; undefined where it has nothing. */
function found(store: FragmentStore, key: string): FragmentPart<string>[] | undefined {
  const kept = store.find(OF, key);
  if (kept === undefined) return undefined;
  const parts = "offset" in kept ? [kept] : kept;
  return parts.map((part) => ("offset" in part ? part.toString() : part));
}

const partsArbitrary = fc.array(
  fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1 }),
    fc.record({ id: fc.string(), content: fc.string({ unit: "grapheme" }) }),
  ),
  { minLength: 1, maxLength: 4 },
);

test("find() gives what keep() was given, also to another thread and to the next run", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.string(), partsArbitrary), { selector: ([key]) => key }),
      fc.nat(400),
      (all, memoryBytes) => {
        rmSync(join(stateDir, "fragments"), { recursive: true, force: true });
        const first = open(0, memoryBytes);
        const [one, other] = [new Fragments(first.shared), new Fragments(first.shared)];
        for (const [key, parts] of all) one.keep(OF, key, parts);
        for (const [key, parts] of all) expect(found(other, key)).toEqual(parts);
        first.save();
        // Once with the file read into memory, once from the file.
        for (const pages of [0, 10_000]) {
          const next = new Fragments(open(pages).shared);
          for (const [key, parts] of all) expect(found(next, key)).toEqual(parts);
          expect(next.find(OF, "a key that nobody used")).toBeUndefined();
          next.close();
        }
        one.close();
        other.close();
      },
    ),
    { numRuns: 60 },
  );
});

test("a table that is full keeps no more, and loses nothing", () => {
  const file = open();
  const store = new Fragments(file.shared);
  const kept = Array.from({ length: 2_000 }, (_, index) =>
    store.keep(OF, `key ${index}`, [`${index}`]),
  );
  expect(kept.filter((each) => each === undefined).length).toBeGreaterThan(0);
  for (const [index, each] of kept.entries()) {
    expect(found(store, `key ${index}`)).toEqual(each === undefined ? undefined : [`${index}`]);
  }
  store.close();
  file.save();
  const next = new Fragments(open().shared);
  expect(next.keep(OF, "one more", ["than before"])).toBeDefined();
  expect(found(next, "key 7")).toEqual(["7"]);
  next.close();
});

test("what a killed run had kept is forgotten, and what was kept before it is not", () => {
  const first = open();
  const store = new Fragments(first.shared);
  store.keep(OF, "a", ["first"]);
  first.save();
  const killed = new Fragments(open(10_000).shared);
  killed.keep(OF, "b", ["second"]);
  const next = new Fragments(open().shared);
  expect(found(next, "a")).toEqual(["first"]);
  expect(next.find(OF, "b")).toBeUndefined();
  for (const each of [store, killed, next]) each.close();
});

test.each<[string, (folder: string) => void]>([
  ["its table was cut short", (folder) => truncateSync(join(folder, nameOf(folder, "index")), 100)],
  [
    "a bit of its table turned",
    (folder) => {
      const path = join(folder, nameOf(folder, "index"));
      const bytes = readFileSync(path);
      bytes[200] = (bytes[200] ?? 0) ^ 1;
      writeFileSync(path, bytes);
    },
  ],
  ["its bytes were cut short", (folder) => truncateSync(join(folder, nameOf(folder, "bytes")), 1)],
])("a store is not believed when %s", (_, harm) => {
  const file = open();
  const store = new Fragments(file.shared);
  store.keep(OF, "a", ["some markup"]);
  store.close();
  file.save();
  harm(join(stateDir, "fragments"));
  const next = new Fragments(open().shared);
  expect(next.find(OF, "a")).toBeUndefined();
  next.close();
});

function nameOf(folder: string, kind: string): string {
  return readdirSync(folder).find((name) => name.endsWith(kind)) ?? "";
}
