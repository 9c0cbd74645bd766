import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { PublishRefused } from "../../src/contract/errors.ts";
import { PICTURE_POLICIES } from "../../src/contract/picture.ts";
import { openOgImages, openPictures } from "../../src/images/lookup.ts";
import { tempFolder } from "../support/run/index.ts";
import { openHost, send, serveFiles } from "./support/host.ts";
import { madePictures, quarters } from "./support/made-pictures.ts";
import { DAY_MS, stageFor } from "./support/stage.ts";

let picture: Buffer;
beforeAll(async () => {
  // Too small for variants at twice the pixels, which take most of the time.
  picture = await quarters(140, 175).jpeg().toBuffer();
});

const openSite = () => openHost(serveFiles(new Map([["/one.jpg", picture]])));

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
  const files = new Map([["/one.jpg", picture]]);
  const host = await openHost(serveFiles(files));
  const stage = stageFor(host);
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
  files.set("/one.jpg", await quarters(150, 150).jpeg().toBuffer());
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

test("hostile hosts cost a build their pictures and nothing else", async () => {
  const files = new Map([["/one.jpg", picture]]);
  for (const [name, { bytes, reason }] of await madePictures())
    if (reason !== null) files.set(`/${name}`, bytes);
  const serve = serveFiles(files);
  const host = await openHost((response, request) => {
    if (request.url === "/drip") setInterval(() => response.write("x"), 200).unref();
    else serve(response, request);
  });
  const stage = stageFor(host);
  const report = await stage.run([...files.keys()]);
  expect(report).toMatchObject({ made: 1, failed: files.size - 1 });
  expect(report.reasons).toMatchObject({ "too-many-pixels": 2, damaged: 1 });
  const { reasons } = await stage.run(["/drip"], { deadlineMs: 100 });
  expect(reasons).toEqual({ "too-slow": 1 });
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

test("nothing of upstream gets into a file name", async () => {
  const evil = "/..%2F..%2Fevil.jpg?x=<script>";
  const host = await openHost((response) => send(response, 200, picture));
  const stage = stageFor(host);
  await stage.run([evil]);
  for (const file of stage.files()) expect(file).toMatch(/^[0-9a-f]{20}\.(?:avif|webp)$/);
});
