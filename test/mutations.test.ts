/**
 * Bugs seeded one at a time, in a copy of the tree: the tests catch nine tenths of those drawn, and all that once went unseen.
 *
 * `MUTANTS=20 SEED=7 npx vitest run test/mutations.test.ts`; `npm run bench -- mutate` lists each verdict.
 */
// @module-tag sized
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { knownBugs } from "../scripts/bench/mutate/known-bugs.ts";
import { mutate } from "../scripts/bench/mutate.ts";
import { sized } from "./support/tier.ts";

const { count: MUTANTS } = sized("MUTANTS", 0, 4);
const SEED = Number(process.env["SEED"] ?? 1);

const ROOT = join(import.meta.dirname, "..");

test("each known bug still has the one place where it can be seeded", () => {
  const read = (file: string): string => {
    const path = join(ROOT, file);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  };
  const { bugs, stale } = knownBugs(read);
  expect(stale).toEqual([]);
  expect(bugs.length).toBeGreaterThan(40);
});

const log = (line: string): void => void process.stdout.write(`${line}\n`);

test.skipIf(MUTANTS === 0)(
  `of ${MUTANTS} drawn bugs (SEED=${SEED}) nine tenths are caught, and of as many known ones all`,
  async () => {
    const drawn = await mutate({ draw: MUTANTS, most: MUTANTS, seed: SEED, log });
    const known = await mutate({ known: true, most: MUTANTS, seed: SEED, log });
    expect(known).toMatchObject({ survived: [], stale: [] });
    // One bug in ten may change nothing that can be seen.
    expect(drawn.survived.length, drawn.survived.join("\n")).toBeLessThanOrEqual(MUTANTS / 10 + 1);
  },
  MUTANTS * 2 * 450_000,
);
