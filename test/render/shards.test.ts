/** Shares of a site, rendered apart, are the site: each file once, the same bytes, and never with a hole. */
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { PublishRefused, UsageError } from "../../src/contract/errors.ts";
import { mergeShares, sealShare, SHARE_FILE, shardOf } from "../../src/render/shards.ts";
import { recordedFiles } from "../../src/render/written-files.ts";
import { contentOf, datesOf, differences, Fork, someLines } from "./support.ts";
import { CAN_LINK } from "../support/run/index.ts";

const fork = new Fork(someLines(30));
const COUNT = 2;
const parts = join(fork.folder, "parts");
const outDir = join(fork.folder, "merged");
const stateDir = join(fork.folder, "merged-state");
let whole: Record<string, string>;

async function renderShares(): Promise<void> {
  for (let index = 1; index <= COUNT; index++) {
    const built = await fork.build({
      env: { SITE_SHARD: `${index}/${COUNT}` },
      outDir: join(parts, `part-${index}`),
      stateDir: join(fork.folder, `state-${index}`),
    });
    expect(built).toMatchObject({ status: 0, stderr: "" });
    sealShare(join(parts, `part-${index}`));
  }
}

beforeAll(async () => {
  await fork.build();
  whole = contentOf(fork.outDir);
  await renderShares();
});

test("shares hold each page of the site once", () => {
  const files = [1, 2].flatMap((index) => Object.keys(contentOf(join(parts, `part-${index}`))));
  const isPage = (file: string): boolean => file.endsWith(".html") || file.endsWith(".json");
  expect(files.filter((file) => isPage(file) && file !== SHARE_FILE).sort()).toEqual(
    Object.keys(whole).filter(isPage).sort(),
  );
  expect(files.filter((file) => file === SHARE_FILE)).toHaveLength(COUNT);
});

test("mergeShares() makes the site of its shares, and touches nothing that is there already", () => {
  const first = mergeShares({ parts, outDir, stateDir });
  expect(differences(contentOf(outDir), whole)).toEqual([]);
  // From these the audit knows the pages of integrations.
  expect([...recordedFiles(stateDir)].sort()).toEqual(Object.keys(contentOf(outDir)).sort());
  expect(first).toMatchObject({ shares: COUNT, changes: { changed: 0, removed: 0 } });
  const dates = datesOf(outDir);
  expect(mergeShares({ parts, outDir, stateDir }).changes).toEqual({
    added: 0,
    changed: 0,
    removed: 0,
  });
  expect(datesOf(outDir)).toEqual(dates);
});

test("mergeShares() takes over what changed in the shares, and what is gone", async () => {
  fork.setLines(someLines(31).slice(1));
  await renderShares();
  const { changes } = mergeShares({ parts, outDir, stateDir });
  expect(changes.removed).toBe(1);
  expect(changes.added).toBeGreaterThan(0);
  await fork.build();
  expect(differences(contentOf(outDir), contentOf(fork.outDir))).toEqual([]);
});

const OTHER_SITE = JSON.stringify({ shard: 2, of: 2, site: "0".repeat(64), files: {} });

type Harm = (folder: string) => void;
const remove = (name: string): Harm => {
  return (folder) => rmSync(join(folder, name), { recursive: true });
};
const copy = (from: string, to: string): Harm => {
  return (folder) => cpSync(join(folder, from), join(folder, to), { recursive: true });
};
const write = (file: string, text: string): Harm => {
  return (folder) => writeFileSync(join(folder, file), text);
};

const append = (file: string, text: string): Harm => {
  return (folder) => appendFileSync(join(folder, file), text);
};

test.skipIf(!CAN_LINK).each<[string, Harm, RegExp]>([
  ["a share is missing", remove("part-2"), /share 2 of 2/],
  ["a share is not finished", remove(`part-1/${SHARE_FILE}`), /did not finish/],
  ["a share is there twice", copy("part-1", "part-9"), /same share/],
  ["a share is of another site", write(`part-2/${SHARE_FILE}`, OTHER_SITE), /another site/],
  ["a file is no share's", write(`part-2/${SHARE_FILE}`, "{"), /is invalid/],
  [
    "two shares differ in a file",
    (folder) => {
      writeFileSync(join(folder, "part-2/robots.txt"), "Mine.");
      sealShare(join(folder, "part-2"));
    },
    /robots\.txt: .* differ/,
  ],
  ["a page was changed", append("part-1/index.html", "<script>"), /index\.html: it is not as its/],
  ["a page was changed at its end", append("part-1/index.html", " "), /it is not as its render/],
  ["a file came in", write("part-2/extra.html", "Mine."), /extra\.html: it is not as its render/],
  ["a file is gone", remove("part-1/index.html"), /index\.html: it is gone/],
  [
    "a file is a link",
    (folder) => symlinkSync("index.html", join(folder, "part-1/a.html")),
    /a\.html: it is neither a file nor a folder/,
  ],
  [
    "a file is a pipe",
    (folder) => void spawnSync("mkfifo", [join(folder, "part-2/a.html")]),
    /a\.html: it is neither/,
  ],
  [
    "its list is a pipe",
    (folder) => {
      rmSync(join(folder, `part-2/${SHARE_FILE}`));
      spawnSync("mkfifo", [join(folder, `part-2/${SHARE_FILE}`)]);
    },
    /shard\.json: it is neither/,
  ],
  ["a shard is a link", (folder) => symlinkSync("part-1", join(folder, "part-3")), /part-3: it is/],
  ["the digests are not the render's", write(`part-2/${SHARE_FILE}`, '{"files":1}'), /is invalid/],
])("mergeShares() refuses when %s", (_, harm, message) => {
  const folder = join(fork.folder, "harmed");
  rmSync(folder, { recursive: true, force: true });
  cpSync(parts, folder, { recursive: true });
  harm(folder);
  const merge = (): unknown => mergeShares({ parts: folder, outDir, stateDir });
  expect(merge).toThrow(PublishRefused);
  expect(merge).toThrow(message);
});

test("mergeShares() refuses a file in place of the folder of shares", () => {
  const file = join(parts, "part-1", SHARE_FILE);
  expect(() => mergeShares({ parts: file, outDir, stateDir })).toThrow(UsageError);
});

test("mergeShares() refuses shares of two snapshots, though their pages have the same keys", async () => {
  const built = await fork.build({
    env: { SITE_SHARD: "2/2", ORIGIN: "another" },
    outDir: join(parts, "part-2"),
    stateDir: join(fork.folder, "state-2"),
  });
  expect(built).toMatchObject({ status: 0, report: { written: 0 } });
  expect(() => mergeShares({ parts, outDir, stateDir })).toThrow(/part-2: its render did not/);
  sealShare(join(parts, "part-2"));
  expect(() => mergeShares({ parts, outDir, stateDir })).toThrow(/another site/);
});

test("shardOf() deals files out evenly", () => {
  const files = Array.from({ length: 4_000 }, (_, index) => `tag/t${index}/index.html`);
  const shares = [...Map.groupBy(files, (file) => shardOf(file, 4)).values()];
  expect(shares).toHaveLength(4);
  for (const { length } of shares) expect(Math.abs(length - 1_000)).toBeLessThan(120);
});
