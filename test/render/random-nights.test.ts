/**
 * Nights by chance: quotes come, go and change, settings change, and files are lost or damaged. A build that uses what earlier
 * builds left makes the bytes that a build from nothing makes.
 *
 * `BUILD_NIGHTS=200 SEED=7 npx vitest run test/render/random-nights.test.ts` plays others. The first tier compares once, at the end.
 */
// @module-tag long
import {
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run, seeded, tempFolder } from "../support/run/index.ts";
import { HOSTILE, makeSnapshot, type QuoteDraft } from "../support/snapshot/index.ts";
import { LONG, sized } from "../support/tier.ts";
import { contentOf, differences } from "./support.ts";

const { count: NIGHTS, timeout } = sized("BUILD_NIGHTS", 2, 30);
const SEED = Number(process.env["SEED"] ?? 3);
const FIRST = Date.parse("2026-11-20T09:00:00.000Z");
const DAY_MS = 86_400_000;

/** What a build leaves for the next one: without it the next build makes every page. */
const OF_BUILDS = ["memo.bin", "output.sqlite", "plan.sqlite", "plan.sha256", "letters"];

const AUTHORS = ["Ada", "Bea Ö.", "老子", "<b>Cy", null];
const TAGS = ["hope", "love & rain", "любовь", "hope/rain", "__proto__"];
const LANGUAGES = ["en", "ar", "de", "xx"];

/** Files that stay for one build when no page has them any more, for pages that a cache still holds (docs/hosts.md). */
const IS_LEFT = /^(?:_astro|letters)\//;

type Random = () => number;
const pick = <Item>(items: readonly Item[], random: Random): Item =>
  items[Math.floor(random() * items.length)] as Item;

function newQuote(id: number, random: Random): QuoteDraft {
  return {
    id,
    text: random() < 0.2 ? pick(HOSTILE, random) : `Sentence ${id} of ${Math.floor(random() * 9)}.`,
    author: pick(AUTHORS, random),
    tags: TAGS.filter(() => random() < 0.3),
    language: pick(LANGUAGES, random),
    likes: Math.floor(random() * 40),
  };
}

/** A day's changes: few quotes or many, and sometimes none. */
function changed(quotes: readonly QuoteDraft[], night: number, random: Random): QuoteDraft[] {
  const share = pick([0, 0.03, 0.3], random);
  const kept = quotes.filter(() => random() >= share / 2);
  const edited = kept.map((quote) => {
    if (random() >= share) return quote;
    const other = newQuote(quote.id, random);
    const key = pick(["text", "author", "tags", "language", "likes"] as const, random);
    return { ...quote, [key]: other[key] };
  });
  const added = Array.from({ length: Math.floor(random() * 10 * share + 1) }, (_, at) =>
    newQuote(100 * night + at, random),
  );
  return [...edited, ...(share === 0 ? [] : added)];
}

/** What may happen to the files of the last build. */
const TROUBLES: readonly ((stateDir: string, outDir: string, random: Random) => void)[] = [
  () => undefined,
  () => undefined,
  (_, outDir, random) =>
    rmSync(join(outDir, pick(globSync("**/*.html", { cwd: outDir }).sort(), random))),
  (_, outDir, random) =>
    writeFileSync(
      join(outDir, pick(globSync("**/*.html", { cwd: outDir }).sort(), random)),
      "Not ours.",
    ),
  (_, outDir) => rmSync(outDir, { recursive: true }),
  (stateDir) => truncateSync(join(stateDir, "memo.bin"), 500),
  (stateDir, _, random) =>
    rmSync(join(stateDir, pick(OF_BUILDS, random)), { recursive: true, force: true }),
];

const SETTINGS: readonly Readonly<Record<string, string>>[] = [
  {},
  {},
  { SITE_URL: "https://another.example" },
  { VOTE_BASE_URL: "off" },
  { QUOTES_PLAN: "paid" },
];

test(
  `${NIGHTS} nights by chance (SEED=${SEED}): each build makes the bytes of one from nothing`,
  async () => {
    const random = seeded(SEED);
    const folder = tempFolder("nights");
    const [stateDir, outDir] = [join(folder, "state"), join(folder, "dist")];
    const render = (state: string, out: string, env: Readonly<Record<string, string>>) =>
      run("render", ["--state", state, "--out", out, "--quiet"], env);
    let quotes = Array.from({ length: 40 }, (_, at) => newQuote(at + 1, random));
    for (let night = 1; night <= NIGHTS; night++) {
      const now = new Date(FIRST + night * DAY_MS).toISOString();
      const env = { SITE_NOW: now, SITE_CARDS: "0", ...pick(SETTINGS, random) };
      makeSnapshot({ stateDir, quotes, stamp: now.replace(/[-:.]/g, "") });
      if (existsSync(outDir)) pick(TROUBLES, random)(stateDir, outDir, random);
      const isCompared = LONG || night === NIGHTS;
      const fresh = join(folder, `fresh-${night}`);
      if (isCompared) cpSync(stateDir, join(fresh, "state"), { recursive: true });
      expect(await render(stateDir, outDir, env), `night ${night}`).toMatchObject({ status: 0 });
      if (isCompared) {
        for (const file of OF_BUILDS)
          rmSync(join(fresh, "state", file), { recursive: true, force: true });
        const made = await render(join(fresh, "state"), join(fresh, "dist"), env);
        expect(made).toMatchObject({ status: 0 });
        const [kept, whole] = [contentOf(outDir), contentOf(join(fresh, "dist"))];
        const other = differences(kept, whole).filter(
          (file) => file in whole || !IS_LEFT.test(file),
        );
        expect(other, `night ${night} (SEED=${SEED})`).toEqual([]);
        expect(readFileSync(join(outDir, "sitemap-1.xml"), "utf8")).toContain("<loc>");
        rmSync(fresh, { recursive: true });
      }
      quotes = changed(quotes, night, random);
    }
  },
  timeout,
);
