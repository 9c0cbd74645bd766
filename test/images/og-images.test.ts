import { globSync, readdirSync, rmSync, statSync, truncateSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeMade } from "../../src/commands/describe.ts";
import { quoteImage, studio, THEME } from "./support/og-images.ts";

const IN_HAND = 8;

const requests = [
  quoteImage("Commonplace", "en", { key: "", style: "title", byline: "Sentences worth keeping" }),
  quoteImage("Be brief.", "en", { shapes: ["wide", "square"] }),
  quoteImage("Sois bref.", "fr"),
];

test("a second run draws nothing and writes nothing", async () => {
  const { run, options } = studio();
  const first = { made: 4, reused: 0, skipped: 0, skippedKeys: [], removed: 0, unlike: false };
  expect(await run(requests)).toEqual(first);
  for (const file of readdirSync(options.outDir)) utimesSync(join(options.outDir, file), 0, 0);
  expect(await run(requests)).toMatchObject({ made: 0, reused: 4, removed: 0 });
  for (const file of readdirSync(options.outDir)) {
    expect(statSync(join(options.outDir, file)).mtimeMs).toBe(0);
  }
});

test(
  "a change of words changes one image, a change of theme or attribution all of them",
  { tags: "long" },
  async () => {
    const { run, options } = studio();
    await run(requests);
    const changed = requests.with(2, quoteImage("Sois plus bref.", "fr"));
    expect(await run(changed)).toMatchObject({ made: 1, reused: 3, removed: 1 });
    const theme = { ...THEME, accent: "#008800" };
    expect(await run(changed, { theme })).toMatchObject({ made: 4, reused: 0, removed: 4 });
    expect(await run(changed, { theme, attribution: null })).toMatchObject({ made: 4, removed: 4 });
    // Those of the build before stay for one more: pages that readers have still name them.
    expect(readdirSync(options.outDir)).toHaveLength(8);
    await run(changed, { theme, attribution: null });
    expect(readdirSync(options.outDir)).toHaveLength(4);
    expect(readdirSync(join(options.cacheDir, "files"))).toHaveLength(4);
  },
);

test("two machines set the same bytes under the same names", { tags: "long" }, async () => {
  const [one, other] = [studio(), studio()];
  await one.run(requests);
  await other.run(requests.toReversed(), { lanes: 2 });
  const [names, others] = [one, other].map(({ options }) => readdirSync(options.outDir).sort());
  // A name is the digest of the bytes.
  expect(others).toEqual(names);
});

test("a machine that draws otherwise than others is told so once, where it draws", async () => {
  const { run } = studio({ specimen: "0".repeat(64) });
  const report = await run(requests);
  expect(report).toMatchObject({ made: 4, unlike: true });
  expect(describeMade({ cards: report }, "dist").join("\n")).toContain("come out otherwise here");
  expect(await run(requests)).toMatchObject({ made: 0, unlike: false });
});

test("words that no typeface has get the site's image, never boxes", async () => {
  const { run, read } = studio();
  const chinese = quoteImage("春眠不觉晓", "zh", { shapes: ["wide", "square"] });
  const author = quoteImage("Be brief.", "en", { key: "author", byline: "孔子" });
  const thai = quoteImage("ความพยายาม", "th");
  const report = await run([...requests, chinese, author, thai]);
  expect(report).toMatchObject({ made: 4, skipped: 3 });
  expect(report.skippedKeys.toSorted()).toEqual(["author", "quote/th/", "quote/zh/"]);
  expect(read("quote/zh/")).toEqual(read(""));
  expect(read("quote/zh/", "square")).toBeNull();
});

test("the foot has no boxes either: an emoji is left out, and a name that no typeface has", async () => {
  const names = [
    ["Commonplace", null],
    ["Commonplace 🌸", "孔子"],
  ] as const;
  const files = names.map(async ([site, attribution]) => {
    const { run, read } = studio({ site, attribution });
    await run(requests);
    return ["", "quote/en/"].map((key) => read(key));
  });
  const [plain, odd] = await Promise.all(files);
  expect(odd).toEqual(plain);
});

test("an emptied or torn cache is filled again", { tags: "long" }, async () => {
  const { run, options } = studio();
  await run(requests);
  rmSync(join(options.cacheDir, "files"), { recursive: true });
  const fonts = globSync(join(options.cacheDir, "fonts-*/*.ttf"));
  for (const [at, font] of fonts.entries()) truncateSync(font, at % 2 === 0 ? 0 : 1_000);
  expect(await run(requests)).toMatchObject({ made: 4 });
  for (const font of fonts) expect(statSync(font).size).toBeGreaterThan(1_000);
});

test("a run that is ended stops, with next to nothing made after it", async () => {
  const { run, options } = studio();
  const many = Array.from({ length: 400 }, (_, at) =>
    quoteImage(`Number ${at}`, "en", { key: String(at) }),
  );
  const stop = new AbortController();
  let stopped = Infinity;
  const onProgress = (done: number): void => {
    if (done !== 3) return;
    stopped = performance.now();
    stop.abort(new Error("enough"));
  };
  await expect(run(many, { signal: stop.signal, onProgress })).rejects.toThrow("enough");
  // Sooner than an image that hangs would be given up.
  expect(performance.now() - stopped).toBeLessThan(15_000);
  // Those, and those that were in hand.
  expect(readdirSync(join(options.cacheDir, "files")).length).toBeLessThanOrEqual(3 + IN_HAND);
});

/** Texts that are hard to set: the build goes on, and every other page has its image. */
const repeated = (many: number, line: string): string => Array(many).fill(line).join("\n");

test("makeOgImages() sets or skips a quote of any text", { tags: "long" }, async () => {
  const skipped = `o${"\u0301".repeat(10_000)}`;
  const set = [
    ...[repeated(430, "a"), repeated(400, "A line of words"), "W".repeat(10_000)],
    ...["\u0628".repeat(8_000), "(".repeat(10_000)],
  ];
  const { run, read } = studio();
  const report = await run([
    quoteImage("Commonplace", "en", { key: "", style: "title" }),
    ...[...set, skipped].map((text, at) =>
      quoteImage(text, "en", { key: String(at), shapes: ["wide", "square"] }),
    ),
  ]);
  const last = String(set.length);
  expect(report).toMatchObject({ made: 1 + 2 * set.length, skipped: 1, skippedKeys: [last] });
  for (const key of set.keys()) expect(read(String(key))).not.toEqual(read(""));
  // A page without an image of its own is shown with the site's.
  expect(read(last)).toEqual(read(""));
});
