import {
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { PublishRefused } from "../../src/contract/errors.ts";
import { PICTURE_POLICIES } from "../../src/contract/picture.ts";
import { openOgImages, openPictures } from "../../src/images/lookup.ts";
import { makeThumbnails, type ThumbnailOptions } from "../../src/images/thumbnails.ts";
import { Database } from "../../src/sqlite/database.ts";
import type { FaultServer } from "../support/http/index.ts";
import { CAN_LINK, tempFolder } from "../support/run/index.ts";
import { openHost, send, serveFiles } from "./support/host.ts";
import { HTML, madePictures, quarters, turned } from "./support/made-pictures.ts";

const DAY_MS = 24 * 3_600_000;

/** Runs of the stage over one state folder, one after another. */
function stageFor(host: FaultServer) {
  const folder = tempFolder("pictures");
  const cacheDir = join(folder, "thumbnails");
  const outDir = join(folder, "dist", "_pictures");
  return {
    cacheDir,
    outDir,
    run: (paths: readonly string[], more: Partial<ThumbnailOptions> = {}) =>
      makeThumbnails(
        paths.map((path) => (path.includes(":") ? path : `${host.url}${path}`)),
        // A process takes longer to start than these pictures take.
        { cacheDir, outDir, policy: "fallback", ownOrigin: host.url, lanes: 1, ...more },
      ),
    files: () => readdirSync(outDir).sort(),
  };
}

let one: Buffer;
let other: Buffer;
beforeAll(async () => {
  // Too small for variants at twice the pixels, which take most of the time.
  one = await quarters(140, 175).jpeg().toBuffer();
  other = await turned(6, 140, 175);
});

/** In the name of the last, nothing may get into the name of a file. */
const EVIL = "/../../evil.jpg?x=<script>";

const site = () =>
  new Map<string, Buffer>([
    ["/one.jpg", one],
    ["/other.jpg", other],
    [EVIL, one],
  ]);

const openSite = () => openHost(serveFiles(site()));

test("a first run makes each picture once", async () => {
  const stage = stageFor(await openSite());
  const evil = `/${encodeURIComponent(EVIL.slice(1))}`;
  const report = await stage.run(["/one.jpg", "/other.jpg", evil, "/gone.jpg"]);
  expect(report).toMatchObject({ addresses: 4, made: 2, reused: 1, failed: 1, requests: 4 });
  expect(report.reasons).toEqual({ gone: 1 });
  expect(report.bytesSaved).toBeGreaterThan(one.length);
  expect(stage.files()).toHaveLength(4);
  for (const file of stage.files()) expect(file).toMatch(/^[0-9a-f]{20}\.(?:avif|webp)$/);
});

test("a second run asks, learns that nothing changed, and writes nothing", async () => {
  const stage = stageFor(await openSite());
  await stage.run(["/one.jpg", "/other.jpg"]);
  const longAgo = new Date(0);
  for (const file of stage.files()) utimesSync(join(stage.outDir, file), longAgo, longAgo);
  const report = await stage.run(["/one.jpg", "/other.jpg"]);
  expect(report).toMatchObject({ made: 0, reused: 2, requests: 2, bytesFetched: 0 });
  for (const file of stage.files()) {
    expect(statSync(join(stage.outDir, file)).mtimeMs).toBe(0);
  }
});

test("a host that promises a day is not asked within it", async () => {
  const host = await openHost((response) => {
    response.writeHead(200, { "cache-control": "max-age=86400" }).end(one);
  });
  const stage = stageFor(host);
  await stage.run(["/one.jpg"], { now: () => 0 });
  expect(await stage.run(["/one.jpg"], { now: () => DAY_MS / 2 })).toMatchObject({ requests: 0 });
  expect(await stage.run(["/one.jpg"], { now: () => DAY_MS * 2 })).toMatchObject({ requests: 1 });
});

test("a picture that changed is made anew and its old files go", async () => {
  const files = site();
  const stage = stageFor(await openHost(serveFiles(files)));
  await stage.run(["/one.jpg"]);
  const before = stage.files();
  files.set("/one.jpg", other);
  expect(await stage.run(["/one.jpg"])).toMatchObject({ made: 1, removed: 2 });
  expect(stage.files()).toHaveLength(2);
  expect(stage.files()).not.toEqual(before);
});

test.skipIf(!CAN_LINK)(
  "a link in the place of a file is replaced, even one to the same bytes",
  async () => {
    const stage = stageFor(await openSite());
    await stage.run(["/one.jpg"]);
    const [name = ""] = stage.files();
    rmSync(join(stage.outDir, name));
    symlinkSync(join(stage.cacheDir, "files", name), join(stage.outDir, name));
    await stage.run(["/one.jpg"]);
    expect(lstatSync(join(stage.outDir, name)).isFile()).toBe(true);
  },
);

test("orphans are collected, and files of others are kept", async () => {
  const stage = stageFor(await openSite());
  await stage.run(["/one.jpg", "/other.jpg"]);
  writeFileSync(join(stage.outDir, "theirs.avif"), "theirs");
  writeFileSync(join(stage.outDir, "0123456789abcdef0123.avif.unfinished"), "cut short");
  expect(await stage.run(["/one.jpg"])).toMatchObject({ removed: 2 });
  expect(stage.files()).toHaveLength(3);
  expect(stage.files()).toContain("theirs.avif");
});

test(
  "a failure is remembered until it expires, for longer each time",
  { tags: "long" },
  async () => {
    const host = await openHost((response) => send(response, 200, HTML));
    const stage = stageFor(host);
    const requests = async (day: number) =>
      (await stage.run(["/page.jpg"], { now: () => Math.round(day * DAY_MS) })).requests;
    expect(await requests(0)).toBe(1);
    expect(await requests(0.9)).toBe(0);
    expect(await requests(1.1)).toBe(1);
    expect(await requests(2.9)).toBe(0);
    expect(await requests(3.2)).toBe(1);
  },
);

test("while a host is down, its pictures are shown as they were; what it took away is not", async () => {
  let status = 200;
  const host = await openHost((response) => send(response, status, status === 200 ? one : ""));
  const stage = stageFor(host);
  await stage.run(["/one.jpg"], { now: () => 0 });
  status = 503;
  const down = await stage.run(["/one.jpg"], { now: () => DAY_MS });
  expect(down).toMatchObject({ failed: 1, shownFromBefore: 1, reasons: { "host-failed": 1 } });
  expect(stage.files()).toHaveLength(2);
  status = 404;
  const gone = await stage.run(["/one.jpg"], { now: () => 2 * DAY_MS });
  expect(gone).toMatchObject({ failed: 1, shownFromBefore: 0, removed: 2 });
  expect(stage.files()).toEqual([]);
});

test("two machines make the same bytes under the same names", { tags: "long" }, async () => {
  const host = await openSite();
  const [first, second] = [stageFor(host), stageFor(host)];
  await first.run(["/one.jpg", "/other.jpg"]);
  await second.run(["/other.jpg", "/one.jpg"], { lanes: 2, fetches: 1 });
  // A name is the digest of the bytes.
  expect(second.files()).toEqual(first.files());
});

test("a failure that this version does not know is asked again", async () => {
  const stage = stageFor(await openSite());
  await stage.run(["/gone.jpg"]);
  const index = new Database(join(stage.cacheDir, "index-2.sqlite"));
  index.run("UPDATE addresses SET reason = 'haunted'");
  index.close();
  expect(await stage.run(["/gone.jpg"])).toMatchObject({ requests: 1, reasons: { gone: 1 } });
});

test("an emptied, torn or damaged cache is made again", { tags: "long" }, async () => {
  const stage = stageFor(await openSite());
  await stage.run(["/one.jpg"]);
  const [file = ""] = stage.files();
  const whole = readFileSync(join(stage.outDir, file));
  writeFileSync(join(stage.cacheDir, "files", file), "torn");
  expect(await stage.run(["/one.jpg"])).toMatchObject({ made: 1, failed: 0 });
  // Blocks of zeros, as after a power cut; the site's folder is a new one.
  writeFileSync(join(stage.cacheDir, "files", file), Buffer.alloc(whole.length));
  rmSync(stage.outDir, { recursive: true });
  expect(await stage.run(["/one.jpg"])).toMatchObject({ made: 1, failed: 0 });
  expect(readFileSync(join(stage.outDir, file))).toEqual(whole);
  rmSync(join(stage.cacheDir, "files"), { recursive: true });
  expect(await stage.run(["/one.jpg"])).toMatchObject({ made: 1, failed: 0 });
  const index = new Database(join(stage.cacheDir, "index-2.sqlite"));
  index.exec("UPDATE pictures SET files = replace(files, '[', '{')");
  index.close();
  expect(await stage.run(["/other.jpg"])).toMatchObject({ made: 1, failed: 0 });
  expect(await stage.run(["/one.jpg"])).toMatchObject({ made: 1, failed: 0 });
  for (const end of ["-wal", "-shm"]) {
    rmSync(join(stage.cacheDir, `index-2.sqlite${end}`), { force: true });
  }
  writeFileSync(join(stage.cacheDir, "index-2.sqlite"), "no database at all".repeat(100));
  expect(await stage.run(["/one.jpg"])).toMatchObject({ made: 1, failed: 0 });
});

test("a page shows a thumbnail, a stand-in or nothing, by the policy", async () => {
  const host = await openHost(
    serveFiles(new Map([["/one.jpg", await quarters().jpeg().toBuffer()]])),
  );
  const stage = stageFor(host);
  await stage.run(["/one.jpg", "/gone.jpg"]);
  for (const policy of PICTURE_POLICIES) {
    const pages = openPictures({ cacheDir: stage.cacheDir, policy, prefix: "/base/_pictures/" });
    const shown = pages.picture(`${host.url}/one.jpg`);
    expect(shown).toMatchObject({ kind: "thumbnail", width: 192, height: 240 });
    const srcs = shown?.kind === "thumbnail" ? shown.sources.flatMap((s) => s.variants) : [];
    expect(srcs.map(({ src }) => src.replace("/base/_pictures/", "")).sort()).toEqual(
      stage.files(),
    );
    const missing = policy === "fallback" ? { kind: "stand-in", width: 192, height: 192 } : null;
    expect(pages.picture(`${host.url}/gone.jpg`)).toEqual(missing);
    expect(pages.picture("http://never.example/met.jpg")).toEqual(missing);
    expect(pages.picture(null)).toBeNull();
    pages.close();
  }
});

test("the key of all pictures changes when one does, and only then", async () => {
  const files = site();
  const stage = stageFor(await openHost(serveFiles(files)));
  const key = (): string => {
    const pages = openPictures({ cacheDir: stage.cacheDir, policy: "skip", prefix: "/" });
    pages.close();
    return pages.key;
  };
  const keys = [key()];
  for (const paths of [["/one.jpg"], ["/one.jpg", "/two.jpg"]]) {
    await stage.run(paths);
    keys.push(key());
    await stage.run(paths);
    expect(key()).toBe(keys.at(-1));
  }
  files.set("/one.jpg", other);
  await stage.run(["/one.jpg"]);
  expect(new Set([...keys, key()]).size).toBe(4);
});

test.each([
  ["without a cache", () => undefined],
  [
    "with a damaged cache",
    (cacheDir: string) =>
      writeFileSync(join(cacheDir, "index-2.sqlite"), "SQLite format 3\0".padEnd(9_000)),
  ],
])("%s, pages still have an answer", (_, damage) => {
  const cacheDir = tempFolder("cache");
  damage(cacheDir);
  const pages = openPictures({ cacheDir, policy: "fallback", prefix: "/" });
  expect(pages.picture("http://pictures.example/a.jpg")).toMatchObject({ kind: "stand-in" });
  pages.close();
  expect(openOgImages({ cacheDir, prefix: "/" })("tags/", "wide")).toBeNull();
});

test("the policy `fail` names what is missing, and keeps what was made", async () => {
  const stage = stageFor(await openSite());
  const failing = stage.run(["/one.jpg", "/gone.jpg?secret=1"], { policy: "fail" });
  await expect(failing).rejects.toThrow(PublishRefused);
  await expect(failing).rejects.toThrow(/Cannot show 1 pictures: http:.*\/gone\.jpg \(gone: /);
  await expect(failing).rejects.not.toThrow(/secret/);
  expect(await stage.run(["/one.jpg"], { policy: "fail" })).toMatchObject({ made: 0, reused: 1 });
});

test("hostile hosts cost a build their pictures and nothing else", { tags: "long" }, async () => {
  const files = new Map([["/one.jpg", one]]);
  for (const [name, { bytes, reason }] of await madePictures())
    if (reason !== null) files.set(`/${name}`, bytes);
  const stage = stageFor(await openHost(serveFiles(files)));
  const report = await stage.run([...files.keys()]);
  expect(report).toMatchObject({ made: 1, failed: files.size - 1 });
  expect(report.reasons).toMatchObject({ "too-many-pixels": 2, damaged: 1 });
});

test("a budget that is spent puts pictures off and forgets nothing", async () => {
  const host = await openSite();
  const stage = stageFor(host);
  let left = 1;
  const mayRequest = () => left-- > 0;
  const spent = await stage.run(["/one.jpg", "/two.jpg"], { mayRequest, fetches: 1 });
  expect(spent).toMatchObject({ made: 1, failed: 1, requests: 1, reasons: { postponed: 1 } });
  expect(await stage.run(["/two.jpg"])).toMatchObject({ requests: 1, reasons: { gone: 1 } });
});

test("without the network, the cache is what there is", async () => {
  const host = await openSite();
  const stage = stageFor(host);
  await stage.run(["/one.jpg"], { now: () => 0 });
  const offline = { network: false, now: () => 9 * DAY_MS };
  const report = await stage.run(["/one.jpg", "/two.jpg"], offline);
  expect(report).toMatchObject({ reused: 1, requests: 0, reasons: { postponed: 1 } });
  expect(host.journal).toHaveLength(1);
});

test("a run that is ended does not wait for what it asked for", async () => {
  const run = new AbortController();
  const host = await openHost(() => run.abort(new Error("enough")));
  const stage = stageFor(host);
  const started = performance.now();
  const ended = stage.run(["/a", "/b"], { signal: run.signal, deadlineMs: 120_000 });
  await expect(ended).rejects.toThrow("enough");
  expect(performance.now() - started).toBeLessThan(30_000);
});

test(
  "a decoder that cannot start is no fact about a picture: the next run makes it",
  { tags: "long" },
  async () => {
    const stage = stageFor(await openSite());
    const node = process.execPath;
    process.execPath = "/bin/false";
    let first;
    try {
      first = await stage.run(["/one.jpg", "/other.jpg"]);
    } finally {
      process.execPath = node;
    }
    expect(first).toMatchObject({ failed: 2, reasons: { "decoder-unavailable": 2 } });
    {
      using index = new Database(join(stage.cacheDir, "index-2.sqlite"), { readOnly: true });
      expect(index.column("SELECT failures FROM addresses")).toEqual([0, 0]);
    }
    const paths = ["/one.jpg", "/other.jpg"];
    expect(await stage.run(paths)).toMatchObject({ made: 2, failed: 0 });
  },
);
