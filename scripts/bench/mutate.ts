/**
 * `npm run bench -- mutate [--known] [--stage NAME] [--draw N]`: seeds bugs, one at a time, and says which of them the tests
 * catch. `--known` plays the table of known bugs; otherwise N bugs are drawn for each stage, others with another `SEED`.
 */
import { NearestTests } from "./mutate/nearest-tests.ts";
import { lineOf, stageOf, type Mutant } from "./mutate/mutant.ts";
import { mutantsOf } from "./mutate/mutators.ts";
import { knownBugs } from "./mutate/known-bugs.ts";
import { TreeCopy, type Verdict } from "./mutate/copy.ts";
import { seededRandom } from "./corpus/random.ts";

export interface MutateOptions {
  readonly known?: boolean;
  readonly stage?: string | undefined;
  /** Bugs a stage. */
  readonly draw?: number;
  readonly seed?: number;
  /** At most so many of all. */
  readonly most?: number;
  readonly log?: (line: string) => void;
}

/** Tests of the first round, of the second, and the milliseconds of each. */
const ROUNDS = [
  { tests: 8, limitMs: 150_000 },
  { tests: 32, limitMs: 300_000 },
] as const;

/** Modules of islands that tests load without a browser. */
const ISLANDS_IN_NODE =
  "browser|share|favourites/epub|favourites/store|search/(?:find|languages-asked|lists|names|pagefind|query|ranking|words)|vote/answer";

/** Modules that only a browser or a whole build loads: their tests take minutes. */
const ELSEWHERE = new RegExp(
  `^src/(?:(?:pages|layouts|components|styles|themes|commands|render)/|islands/(?!(?:${ISLANDS_IN_NODE})\\.ts$))`,
);

/** @returns the lines of the bugs by verdict, and the stale rows of the table */
export async function mutate({
  known,
  stage,
  draw = 6,
  seed = 1,
  most = Infinity,
  log = () => undefined,
}: MutateOptions) {
  using copy = new TreeCopy();
  const nearest = new NearestTests(copy.files, (file) => copy.read(file));
  const table = knownBugs((file) => copy.read(file));
  for (const row of table.stale) log(`stale ${row}: update scripts/bench/mutate/known-bugs.ts`);
  const chosen = known === true ? table.bugs : drawn(copy, draw, seed);
  const random = seededRandom(seed);
  const mutants = chosen
    .filter(({ file }) => stage === undefined || stageOf(file) === stage)
    .map((mutant) => ({ mutant, rank: most < Infinity ? random.next() : 0 }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ mutant }) => mutant);
  const [first] = mutants;
  // A test that fails anyway would catch everything.
  const control = first === undefined ? [] : nearest.of(first.file, ROUNDS[0].tests);
  if ((await copy.test(null, control, ROUNDS[1].limitMs)) !== "survived") {
    throw new Error(`Cannot seed bugs: without one these tests fail: ${control.join(" ")}`);
  }
  const lines: Record<Verdict, string[]> = { caught: [], survived: [], hung: [] };
  for (const mutant of mutants) {
    const verdict = await judge(copy, nearest, mutant);
    const line = lineOf(copy.read(mutant.file), mutant);
    lines[verdict].push(line);
    log(`${verdict} ${line}`);
  }
  const { caught, survived, hung } = lines;
  log(
    `${caught.length} of ${mutants.length} caught, ${hung.length} hung, ${survived.length} survived`,
  );
  return { ...lines, stale: table.stale };
}

async function judge(copy: TreeCopy, nearest: NearestTests, mutant: Mutant): Promise<Verdict> {
  if (mutant.tests !== undefined) return copy.test(mutant, mutant.tests, ROUNDS[1].limitMs);
  let done: readonly string[] = [];
  let verdict: Verdict = "survived";
  for (const { tests, limitMs } of ROUNDS) {
    const all = nearest.of(mutant.file, tests);
    const more = all.filter((test) => !done.includes(test));
    if (more.length === 0) break;
    verdict = await copy.test(mutant, more, limitMs);
    if (verdict !== "survived") break;
    done = all;
  }
  return verdict;
}

/** Draws bugs of each stage, each of another module where there are enough. */
function drawn(copy: TreeCopy, draw: number, seed: number): Mutant[] {
  const random = seededRandom(seed);
  const modules = copy.files.filter(
    (file) => /^src\/.*\.ts$/.test(file) && !/\.d\.ts$/.test(file) && !ELSEWHERE.test(file),
  );
  const byStage = Map.groupBy(modules, stageOf);
  return [...byStage.values()].flatMap((files) => {
    const byFile = files
      .map((file) => mutantsOf(file, copy.read(file)))
      .filter((mutants) => mutants.length > 0);
    return Array.from({ length: byFile.length === 0 ? 0 : draw }, () => {
      return random.pick(random.pick(byFile));
    });
  });
}
