import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { Database } from "../../src/sqlite/database.ts";
import { openHost, send, serveFiles } from "./support/host.ts";
import { HTML, quarters, turned } from "./support/made-pictures.ts";
import { DAY_MS, stageFor } from "./support/stage.ts";

let one: Buffer;
let other: Buffer;
beforeAll(async () => {
  // Too small for variants at twice the pixels, which take most of the time.
  one = await quarters(140, 175).jpeg().toBuffer();
  other = await turned(6, 140, 175);
});

const site = () =>
  new Map<string, Buffer>([
    ["/one.jpg", one],
    ["/other.jpg", other],
    ["/twin.jpg", one],
  ]);

test("a first run makes each picture once", async () => {
  const stage = stageFor(await openHost(serveFiles(site())));
  const report = await stage.run(["/one.jpg", "/other.jpg", "/twin.jpg", "/gone.jpg"]);
  expect(report).toMatchObject({ addresses: 4, made: 2, reused: 1, failed: 1, requests: 4 });
  expect(report.reasons).toEqual({ gone: 1 });
  expect(report.bytesSaved).toBeGreaterThan(one.length);
  expect(stage.files()).toHaveLength(4);
});

test("a second run asks, learns that nothing changed, and writes nothing", async () => {
  const host = await openHost(serveFiles(site()));
  const stage = stageFor(host);
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

test("orphans are collected, and files of others are kept", async () => {
  const stage = stageFor(await openHost(serveFiles(site())));
  await stage.run(["/one.jpg", "/other.jpg"]);
  writeFileSync(join(stage.outDir, "theirs.avif"), "theirs");
  writeFileSync(join(stage.outDir, "0123456789abcdef0123.avif.unfinished"), "cut short");
  expect(await stage.run(["/one.jpg"])).toMatchObject({ removed: 2 });
  expect(stage.files()).toHaveLength(3);
  expect(stage.files()).toContain("theirs.avif");
});

test("a failure is remembered until it expires, for longer each time", async () => {
  const host = await openHost((response) => send(response, 200, HTML));
  const stage = stageFor(host);
  const requests = async (day: number) =>
    (await stage.run(["/page.jpg"], { now: () => Math.round(day * DAY_MS) })).requests;
  expect(await requests(0)).toBe(1);
  expect(await requests(0.9)).toBe(0);
  expect(await requests(1.1)).toBe(1);
  expect(await requests(2.9)).toBe(0);
  expect(await requests(3.2)).toBe(1);
});

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

test("two machines make the same bytes under the same names", async () => {
  const host = await openHost(serveFiles(site()));
  const [first, second] = [stageFor(host), stageFor(host)];
  await first.run(["/one.jpg", "/other.jpg"]);
  await second.run(["/other.jpg", "/one.jpg"], { lanes: 2, fetches: 1 });
  expect(second.files()).toEqual(first.files());
  for (const file of first.files()) {
    const [a, b] = [first, second].map(({ outDir }) => readFileSync(join(outDir, file)));
    expect(a?.equals(b ?? Buffer.alloc(0))).toBe(true);
  }
});

test("a failure that this version does not know is asked again", async () => {
  const stage = stageFor(await openHost(serveFiles(site())));
  await stage.run(["/gone.jpg"]);
  const index = new Database(join(stage.cacheDir, "index-2.sqlite"));
  index.run("UPDATE addresses SET reason = 'haunted'");
  index.close();
  expect(await stage.run(["/gone.jpg"])).toMatchObject({ requests: 1, reasons: { gone: 1 } });
});

test("an emptied, torn or damaged cache is made again", async () => {
  const stage = stageFor(await openHost(serveFiles(site())));
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
