/**
 * Ordinary servers, each kind alone, two at random, and a different mixture each night for a month. `npm run bench -- realities`
 * prints what they cost. `REALITIES` sets the number of pairs, `SEED` repeats them.
 */
// @module-tag sized
import { expect, test } from "vitest";
import { KIND_NAMES, type KindName } from "../../scripts/bench/realities/kinds.ts";
import { Nights, type Night } from "../../scripts/bench/realities/nights.ts";
import { seeded, tempFolder } from "../support/run/index.ts";
import { inTiers, LONG, sized } from "../support/tier.ts";

const { count: PAIRS, timeout } = sized("REALITIES", 8, 300);
const SEED = Number(process.env["SEED"] ?? 1);

const begin = (quotes: number, cap: number, random = seeded(SEED)): Promise<Nights> =>
  Nights.begin({ stateDir: tempFolder(), quotes, cap, random });

/**
 * What must hold of each night, in words; none where all is well.
 *
 * @param added quotes that are newer than the begin of the run
 */
function faultsOf(night: Night, added = 0): string[] {
  const { status, isComplete, lost, wrong, message } = night;
  return [
    ...([0, 69, 75].includes(status) ? [] : [`status ${status}: ${message}`]),
    ...(isComplete && lost > added ? [`complete, and ${lost} quotes are missing`] : []),
    ...(isComplete && wrong > 0 ? [`${wrong} quotes with a text of another`] : []),
  ];
}

test("of a list in key order, what is deleted leaves the same night, at 2.5 requests a page", async () => {
  // One language has more quotes than neighbours are listed at a time.
  const [rows, cap] = [8_000, 100];
  await using nights = await begin(rows, cap, seeded(5));
  await nights.run([]);
  nights.change(rows / 100);
  const ended = await nights.run([]);
  expect(ended).toMatchObject({ status: 0, isComplete: true, lost: 0, extra: 0 });
  expect(ended.requests).toBeLessThanOrEqual((2.5 * rows) / cap);
});

test(
  "of a list in no order, whose lengths have more than a page, nothing that a slice shows is asked again",
  { tags: "long" },
  async () => {
    const [rows, cap] = [3_000, 15];
    await using nights = await begin(rows, cap, seeded(5));
    await nights.run(["most liked first"]);
    nights.change(rows / 100);
    // The curated list is read in the second night.
    await nights.run(["most liked first"]);
    nights.change(rows / 100);
    const ended = await nights.run(["most liked first"]);
    expect(ended).toMatchObject({ status: 0, isComplete: true, lost: 0, extra: 0 });
    // A walk, and two windows of each length.
    expect(ended.requests).toBeLessThanOrEqual((2.75 * rows) / cap);
  },
);

for (const { cases, options } of inTiers(KIND_NAMES, 15))
  test.each(cases)("%s: two nights are complete", options, async (name) => {
    await using nights = await begin(LONG ? 400 : 200, LONG ? 50 : 25);
    for (let night = 0; night < 2; night++) {
      const ended = await nights.run([name]);
      expect(faultsOf(ended)).toEqual([]);
      expect([ended.status, ended.isComplete, ended.message]).toEqual([0, true, ""]);
      nights.change(2);
    }
  });

test("a list that is empty for a time, after the first quotes of it came by their lengths, is no empty list", async () => {
  await using nights = await begin(300, 30);
  for (let night = 0; night < 2; night++) {
    const ended = await nights.run(["empty lists for 20 s", "a cursor in the place of an offset"]);
    expect(faultsOf(ended)).toEqual([]);
    expect(ended.lost).toBeLessThanOrEqual(2);
    if (!ended.isComplete) expect(ended.message).toMatch(/^Cannot tell whether the service has/);
    nights.change(2);
  }
});

/** Sizes of pages that fail everywhere, and not at one place: probes must not ask for them either. */
test.each<KindName>([
  "limit over 50 answers 500",
  "limit over 50 is reset",
  "limit over 20 answers an empty list",
])("%s: deleted quotes are gone the next night", async (name) => {
  await using nights = await begin(150, 50);
  await nights.run([name]);
  nights.change(2);
  const { isComplete, extra } = await nights.run([name]);
  expect([isComplete, extra]).toEqual([true, 0]);
});

const COSTS: readonly (readonly [names: readonly KindName[], most: readonly number[]])[] = [
  [["limit over 10 answers 400"], [55, 70, 55]],
  [["limit over 50 answers 422"], [22, 28, 22]],
  [["limit over 50 answers 404"], [22, 28, 22]],
  [
    ["most liked first", "heavy pages answer 502"],
    [82, 80, 45],
  ],
  [
    ["most liked first", "every seventh answer is 404"],
    [26, 45, 30],
  ],
  [
    ["most liked first", "every sixth answer is 500"],
    [26, 45, 30],
  ],
  [
    ["402 beyond 300 rows", "every sixth answer is 500"],
    [90, 90, 90],
  ],
  [
    ["no order", "heavy pages are cut short"],
    [70, 75, 45],
  ],
  [
    ["no order", "heavy pages answer HTML"],
    [74, 80, 45],
  ],
];

test.each(COSTS)("%s: 300 quotes cost at most %s requests a night", async (names, most) => {
  await using nights = await begin(300, 50);
  for (const requests of most) {
    const ended = await nights.run(names);
    expect([ended.status, ended.isComplete, ended.lost]).toEqual([0, true, 0]);
    expect(ended.requests).toBeLessThanOrEqual(requests);
    nights.change(2);
  }
});

test(
  "two kinds at random: nothing is lost, and every status is one of a harvest",
  async () => {
    const random = seeded(SEED);
    const draw = (): KindName => KIND_NAMES[Math.floor(random() * KIND_NAMES.length)] ?? "NaN";
    const broken: string[] = [];
    let complete = 0;
    for (let pair = 0; pair < PAIRS; pair++) {
      const names = [draw(), draw()];
      // Of 300 quotes, what is closed beyond 300 begins exactly past the end.
      await using nights = await begin(pair % 2 === 0 ? 300 : 400, 30, random);
      for (let night = 0; night < 2; night++) {
        const ended = await nights.run(names);
        complete += Number(ended.isComplete);
        broken.push(...faultsOf(ended).map((fault) => `${names.join(" + ")}: ${fault}`));
        nights.change(2);
      }
    }
    process.stdout.write(`${complete} of ${2 * PAIRS} nights of two kinds were complete\n`);
    expect(broken).toEqual([]);
    expect(complete).toBeGreaterThanOrEqual(PAIRS);
  },
  timeout,
);

/** Quotes that are added each day, and deleted. */
const ADDED = 3;

test(
  "thirty nights with other kinds each: no bug, no wrong setting, complete every second night",
  { tags: "long" },
  async () => {
    const random = seeded(SEED + 1);
    const draw = (): KindName => KIND_NAMES[Math.floor(random() * KIND_NAMES.length)] ?? "NaN";
    await using nights = await begin(400, 40, random);
    const broken: string[] = [];
    let since = 0;
    for (let night = 1; night <= 30; night++) {
      const names = night % 3 === 0 ? [] : night % 3 === 1 ? [draw()] : [draw(), draw()];
      const ended = await nights.run(names);
      broken.push(
        ...faultsOf(ended, since * ADDED).map(
          (fault) => `night ${night}, ${names.join(" + ")}: ${fault}`,
        ),
      );
      since = ended.isComplete ? 0 : since + 1;
      if (since > 1)
        broken.push(`night ${night}, ${names.join(" + ")}: ${since} not complete in a row`);
      nights.change(ADDED);
    }
    expect(broken).toEqual([]);
    // What was hidden or refused on one night is published in the end.
    const last = await nights.run([]);
    expect([last.isComplete, last.lost, last.extra, last.wrong]).toEqual([true, 0, 0, 0]);
  },
);
