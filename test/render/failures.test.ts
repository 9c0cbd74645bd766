/** Mistakes, kills and full disks: the build says what is wrong and where, and the next one ends with the right site. */
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { MOUNTS, resize, smallDisk } from "../support/full-disk.ts";
import { addressOf, contentOf, differences, Fork, someLines, type Line } from "./support.ts";
import { inTiers } from "../support/tier.ts";

const LINES = someLines(400);
const NEXT: readonly Line[] = LINES.slice(3).map((line) =>
  line.id % 3 === 0 ? { ...line, text: `${line.text} Or so.` } : line,
);
const fork = new Fork(LINES);
let before: Record<string, string>;
let after: Record<string, string>;

beforeAll(async () => {
  fork.setLines(NEXT);
  const next = join(fork.root, "next");
  await fork.build({ outDir: next, stateDir: join(fork.folder, "next-state") });
  after = contentOf(next);
  fork.setLines(LINES);
  expect(await fork.build()).toMatchObject({ status: 0, stderr: "" });
  before = contentOf(fork.outDir);
});

test(
  "after builds that were killed or stopped the next one ends with the right site, and its list names what they wrote",
  { tags: "long" },
  async () => {
    fork.setLines(NEXT);
    for (const [signal, lines, status] of [
      ["SIGKILL", 1, null],
      ["SIGINT", 1, 130],
      ["SIGKILL", 3, null],
    ] as const) {
      const stopped = await fork.build({ kill: { signal, after: lines } });
      expect(stopped.status, signal).toBe(status);
      // Where it took longer to come there, the machine is slow or busy.
      expect(stopped.endedAfterMs).toBeLessThan(Math.max(5_000, stopped.signalledAfterMs));
    }
    await fork.build();
    expect(differences(contentOf(fork.outDir), after)).toEqual([]);
    const listed = fork.changes().map((line) => line.split(" ")[1]);
    const changed = differences(before, after).map(addressOf);
    expect(listed.sort()).toEqual(changed.sort());
  },
);

for (const { cases, options } of inTiers<
  [string, Readonly<Record<string, readonly [string, string]>>, RegExp, number]
>(
  [
    [
      "a page that throws",
      { "src/pages/index.astro": ["---\n", '---\nthrow new Error("no such luck");\n'] },
      /Cannot render \/ \(src\/pages\/index\.astro\): no such luck/,
      1,
    ],
    [
      "a page whose classes are the bundle's, and that is refused a file",
      {
        "src/pages/index.astro": [
          "---\n",
          '---\nclass DiskError extends Error { name = "DiskError"; }\nthrow new DiskError("Cannot use notes.sqlite: damaged");\n',
        ],
      },
      /notes\.sqlite: damaged; check the disk/,
      74,
    ],
    [
      "one page of many that throws",
      {
        "src/components/Count.astro": [
          "---\n",
          '---\nif (Astro.url.pathname.includes("/7/")) throw new DOMException("not 7");\n',
        ],
      },
      /Cannot render \/quote\/7\/? \(src\/pages\/quote\/\[id\]\.astro\): not 7/,
      1,
    ],
    [
      "one memoised component of many that throws",
      {
        "src/components/Byline.astro": [
          "Astro.props;\n",
          'Astro.props;\nif (line.id === 7) throw new Error("not 7");\n',
        ],
      },
      /Cannot render \/(?:quote\/7|tag\/all\/3)\/? \(src\/pages\/.*\.astro\): not 7/,
      1,
    ],
    [
      "a bulk route that needs a request",
      { "src/layouts/Base.astro": ["const { title }", "Astro.request.url;\nconst { title }"] },
      /it uses Astro\.request; take "\/.*" out of "bulk" in astro\.config\.mjs/,
      78,
    ],
    [
      "one page of a bulk route that needs a request",
      {
        "src/pages/tag/[slug]/[...page].astro": [
          "const lines =",
          "if (page > 1) Astro.request.url;\nconst lines =",
        ],
      },
      /Cannot render \/tag\/all\/\d\/? in a thread: it uses Astro\.request; take "\/tag\/.*" out of "bulk"/,
      78,
    ],
    [
      "one page of a bulk route that makes an image",
      {
        "src/dot.svg": ["", '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" />'],
        "src/pages/tag/[slug]/[...page].astro": [
          "const lines =",
          'import { getImage } from "astro:assets";\nimport dot from "../../../dot.svg";\nif (page > 1) (await getImage({ src: dot })).src;\nconst lines =',
        ],
      },
      /Cannot render \/tag\/all\/\d\/? in a thread: it makes an image; take "\/tag\/.*" out of "bulk"/,
      78,
    ],
    [
      "a memo whose key does not name all that is shown",
      { "src/components/Byline.astro": ["<p>", "<p title={Astro.url.pathname}>"] },
      /its bytes differ from Astro's; take "\/tag\/\[slug\]\/\[\.\.\.page\]" out of "bulk"/,
      78,
    ],
    [
      "a route that bulk names and that is not there",
      { "astro.config.mjs": ["JSON.parse(BULK)", '["/no/[such]"]'] },
      /Cannot use "\/no\/\[such\]" in "bulk"/,
      78,
    ],
    [
      "a second source of one file",
      { "public/tag/all/index.html": ["", "Mine."] },
      /Cannot render tag\/all\/index\.html from .*: public\/ makes the file tag\/all\/index\.html, too/,
      78,
    ],
    [
      "a file in the place of a folder of pages",
      { "public/tag": ["", "Mine."] },
      /Cannot render tag\/all\/index\.html from .*: public\/ makes the file tag, too/,
      78,
    ],
    [
      "a file that a later stage makes",
      { "public/_cards/mine.png": ["", "Mine."] },
      /Cannot render _cards\/mine\.png from public\/: the build makes it later/,
      78,
    ],
    [
      "a page in the place of the report",
      { "src/pages/build.json.ts": ["", 'export const GET = () => new Response("{}");'] },
      /Cannot render build\.json from .*: the build makes it later/,
      78,
    ],
  ],
  3,
))
  test.each(cases)("%s ends the build", options, async (_, edits, message, status) => {
    const site = new Fork(someLines(8));
    for (const [file, [from, to]] of Object.entries(edits)) {
      if (from === "") site.write(file, to);
      else site.edit(file, from, to);
    }
    const built = await site.build();
    expect(built.stderr.replace(/\s+/g, " ")).toMatch(message);
    expect(built.status).toBe(status);
  });

test("a disk that refuses is status 74, named with its file", { tags: "long" }, async () => {
  const site = new Fork(someLines(8));
  mkdirSync(site.outDir);
  writeFileSync(join(site.outDir, "quote"), "A file, where a folder is to be.");
  const { status, stderr } = await site.build();
  expect(stderr).toMatch(/Cannot use .*dist\/quote: it is not a folder; remove it/);
  expect(status).toBe(74);
});

test.skipIf(!MOUNTS).each([
  ["the bundle", 64],
  ["the pages", 2_500],
])(
  "a disk that is full before %s are written is status 74, and then the right site comes",
  { tags: "long" },
  async (_, room) => {
    const disk = smallDisk(room);
    const folders = { outDir: join(disk, "dist"), stateDir: join(disk, "state") };
    fork.setLines(LINES);
    const { status, stderr } = await fork.build(folders);
    expect(stderr).toMatch(/^Cannot (?:write|use) [^\n]*\n$/m);
    expect(status).toBe(74);
    resize(disk, 65_536);
    expect((await fork.build(folders)).status).toBe(0);
    expect(differences(contentOf(folders.outDir), before)).toEqual([]);
  },
);

test("a memo or a record of pages that is damaged is made anew", async () => {
  const memo = join(fork.stateDir, "memo.bin");
  const bytes = readFileSync(memo);
  expect(bytes.includes("<p>Author 1")).toBe(true);
  writeFileSync(memo, bytes.toString("latin1").replaceAll("<p>Author", "<p>Nobody"), "latin1");
  fork.setLines(LINES);
  await fork.build();
  expect(differences(contentOf(fork.outDir), before)).toEqual([]);
  truncateSync(memo, 1_000);
  truncateSync(join(fork.stateDir, "output.sqlite"), 5_000);
  fork.setLines(NEXT);
  const built = await fork.build();
  expect(built).toMatchObject({ status: 0, stderr: "" });
  expect(differences(contentOf(fork.outDir), after)).toEqual([]);
});
