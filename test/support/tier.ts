/**
 * The two tiers of tests. `npm test` runs all that have no tag `long`, in their small form; `npm run test:long` runs those with
 * one, and the files with the tag `sized`, in their long form. CONTRIBUTING.md has the table.
 */
import { TEST_MS } from "./vitest/limits.ts";

export const LONG = process.env["TESTS"] === "long";

export const TAGS = [
  { name: "long", description: "Another of a kind, or a slow one: the second tier alone has it." },
  { name: "sized", description: "In both tiers, in the size of each." },
];

/** The arguments of vitest that choose the tests of the tier. */
export const tierArgs = (isLong: boolean): readonly string[] => [
  `--tags-filter=${isLong ? "long or sized" : "!long"}`,
];

/** Whether a test is of the tier that is played, by its tags: what `tierArgs()` says to vitest. */
export const isOfTier = (tags: readonly string[]): boolean =>
  LONG ? tags.includes("long") || tags.includes("sized") : !tags.includes("long");

/** Whether the source of a test file has tests that the second tier alone plays: to read it is quicker than to load it. */
export const hasLong = (source: string): boolean =>
  /^\/\/ @module-tag long$|\btags: "long"|\binTiers[<(]/m.test(source);

/** Whether the source of a test file says that both tiers play it. */
export const isSized = (source: string): boolean => /^\/\/ @module-tag sized$/m.test(source);

/** Long forms end by their size; this is a guard against what hangs. */
export const LONG_MS = 60 * TEST_MS;

/**
 * The cases of a table that the first tier plays: the first `small` of them.
 *
 * @param cases the first ones stand for all others
 */
export const drawn = <Case>(cases: readonly Case[], small: number): readonly Case[] =>
  LONG ? cases : cases.slice(0, small);

/**
 * The cases of a table that the first tier plays with another table: one of them with each case of the other, in turn.
 *
 * @param at place of the case in the other table, from 0
 */
export const inTurn = <Case>(cases: readonly Case[], at: number): readonly Case[] =>
  LONG ? cases : cases.filter((_, place) => place === at % cases.length);

/**
 * A table of which each tier plays a part: its first cases, and the others in the second tier alone.
 *
 * @param small the first ones stand for all others
 * @returns the cases of each part, and the options of their tests
 */
export const inTiers = <Case>(cases: readonly Case[], small: number) =>
  [
    { cases: cases.slice(0, small), options: {} },
    { cases: cases.slice(small), options: { tags: "long" } },
  ] as const;

/**
 * The size of a test: that of its variable, else that of the tier.
 *
 * @returns the size, and the time that the test may take, in milliseconds
 */
export function sized(variable: string, small: number, long: number) {
  const count = Number(process.env[variable] ?? (LONG ? long : small));
  return { count, timeout: count > small ? LONG_MS : TEST_MS };
}

export interface Batch {
  /** Of all batches, from 0. */
  readonly index: number;
  /** Where it begins in the whole campaign, from 0. */
  readonly first: number;
  readonly count: number;
}

/**
 * A campaign in batches, each a test of its own: a run whose time is spent has counted all batches but the one under way.
 *
 * @param most the size of a batch, at most
 * @returns the size of all, the batches, and the time that a batch may take, in milliseconds
 */
export function batched(variable: string, small: number, long: number, most: number) {
  const { count, timeout } = sized(variable, small, long);
  const number = Math.ceil(count / most);
  const batches = Array.from({ length: number }, (_, index): Batch => {
    const first = Math.floor((index * count) / number);
    return { index, first, count: Math.floor(((index + 1) * count) / number) - first };
  });
  return { count, batches, timeout };
}
