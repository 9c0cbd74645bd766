/**
 * A whole build of a service that echoes the credential in its records, its pictures and its headers: the site, the
 * state and what was said hold it nowhere. And what a build says of a site that its own audit refuses.
 */
// @module-tag long
import { hash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CANARY, ENCODINGS, searchFolder, sightings } from "./canary.ts";
import { readHistory } from "../../src/report/history.ts";
import { answer, wireQuote } from "../support/service/index.ts";
import { type FaultServer, json, startFaultServer } from "../support/http/index.ts";
import { type Finished, filesIn, run, start, tempFolder } from "../support/run/index.ts";
import { HEADERS } from "./echo.ts";

const folder = tempFolder("canary-build");
const outDir = join(folder, "dist");
const stateDir = join(folder, "state");
/** What the service says in its records. */
let echoes = Object.values(ENCODINGS).flat();
let service: FaultServer;
let first: Finished;

const SITE_URL = "https://quotes.example";
let date = "2026-11-21";
let cards = "12";

const args = (...options: string[]) => ["--state", stateDir, "--out", outDir, ...options];
const variables = () => ({
  QUOTES_BASE_URL: service.url,
  SITE_URL,
  SITE_DATE: date,
  SITE_CARDS: cards,
});
const build = (...options: string[]): Promise<Finished> =>
  run("build", args(...options), variables());

beforeAll(async () => {
  const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: "red" } })
    .withExif({ IFD0: { Copyright: CANARY, ImageDescription: echoes.join(" ") } })
    .jpeg()
    .toBuffer();
  service = await startFaultServer(({ url }) => {
    if (url.pathname.startsWith("/moved/")) {
      const location = `/media/9.jpg?token=${encodeURIComponent(CANARY)}`;
      return (response) => response.writeHead(302, { location, ...HEADERS }).end();
    }
    if (url.pathname.startsWith("/media/")) {
      return (response) =>
        response.writeHead(200, { ...HEADERS, "content-type": "image/jpeg" }).end(picture);
    }
    const quotes = echoes.map((echo, index) =>
      wireQuote(index + 1, {
        quote: `Number ${index} says ${echo} and more.`,
        author: index % 3 === 0 ? echo : `Author ${index}`,
        tags: index % 2 === 0 ? [echo, "tag"] : ["tag"],
        image:
          [
            `${url.origin}/media/${index}.jpg?t=${encodeURIComponent(CANARY)}`,
            `${url.origin}/moved/${index}`,
            null,
          ][index % 3] ?? null,
      }),
    );
    return json(answer(quotes, url, { cap: 20 }), 200, HEADERS);
  });
  first = await start("build", args("--json"), { ...variables(), QUOTES_TOKEN: CANARY }).finished;
});
afterAll(() => service.close());

const reportOf = (): { audit: string } =>
  JSON.parse(readFileSync(join(outDir, "build.json"), "utf8")) as { audit: string };

test("the build succeeds, and searched for the credential itself", () => {
  expect(first.status, first.stderr).toBe(0);
  const { audit } = JSON.parse(first.stdout) as { audit: { total: number; secrets: object } };
  expect(audit).toMatchObject({ total: 0, secrets: { searched: ["QUOTES_TOKEN"] } });
  expect(service.journal.some(({ headers }) => headers.authorization === `Token ${CANARY}`)).toBe(
    true,
  );
  expect(service.journal.some(({ url }) => url.pathname.startsWith("/moved/"))).toBe(true);
});

test("the canary is in no byte of the site, the state, or what was said", () => {
  const { files, found } = searchFolder(folder);
  expect(found).toEqual([]);
  expect(files).toBeGreaterThan(100);
  expect(sightings(Buffer.from(first.stdout + first.stderr))).toEqual([]);
  expect(readFileSync(join(outDir, "index.html"), "utf8")).toContain("…");
});

test("no picture's request carried it", () => {
  const asked = service.journal.filter(({ url }) => /^\/(?:media|moved)\//.test(url.pathname));
  expect(asked.filter(({ headers }) => "authorization" in headers)).toEqual([]);
});

const changes = (): string => readFileSync(join(stateDir, "build-changes.ndjson"), "utf8");

describe("a site that the audit refuses", () => {
  const stray = join(outDir, "stray.html");
  beforeAll(() => {
    writeFileSync(stray, "<p>");
    date = "2026-11-22";
    // From here on no build has the credential, nor does it hear it.
    echoes = echoes.map((_, index) => `Words of ${index}`);
  });

  const lastBuild = (): unknown => readHistory(stateDir).at(-1);
  const line = '{"change":"changed","path":"/today/"}';

  test("ends the build with 65, one line on stderr, and all of it in the result", async () => {
    expect(reportOf().audit).toBe("passed");
    const { status, stdout, stderr } = await build("--json", "--quiet");
    expect(status).toBe(65);
    expect(stderr).toBe(
      `Cannot publish ${outDir}: page not planned: /stray.html; build again, which removes pages of an ` +
        "earlier site; list the page of an integration under `unlisted`; publish nothing of this run and keep the last site\n",
    );
    expect(JSON.parse(stdout)).toMatchObject({ audit: { total: 1 }, report: { audit: "failed" } });
    expect(reportOf().audit).toBe("failed");
    expect(lastBuild()).toMatchObject({ status: 65, findings: 1 });
    expect(changes()).toContain(line);
  });

  test("is in the history with the findings of an audit of its own", async () => {
    writeFileSync(join(outDir, "another.html"), "<p>");
    const audit = await run("audit", ["--state", stateDir, "--out", outDir, "--quiet"], {
      ...{ SITE_URL, SITE_DATE: date },
      GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
    });
    expect(audit.status).toBe(65);
    // Two pages, and a build.json that knows neither the number of files nor their bytes.
    expect(lastBuild()).toMatchObject({ status: 65, findings: 4 });
  });

  test("is in the list of changes of the next site, also after a build that was killed when it had its pages", async () => {
    const { child, finished } = start("build", args(), variables());
    child.stderr?.on("data", (lines: Buffer) => {
      if (lines.includes("Search")) child.kill("SIGKILL");
    });
    expect(await finished).toMatchObject({ status: null });
    expect(await build("--quiet")).toMatchObject({ status: 0 });
    expect(existsSync(stray)).toBe(false);
    expect(changes()).toContain(line);
  });
});

/** Every address of the site, but the report's own, with a digest of what it answers. */
function siteNow(): Map<string, string> {
  const files = filesIn(outDir).filter((file) => file !== "build.json");
  return new Map(
    files.map((file) => [
      `/${file.replace(/(^|\/)index\.html$/, "$1")}`,
      hash("sha256", readFileSync(join(outDir, file))),
    ]),
  );
}

// And so of no site before them.
test("the list of changes is the difference of two sites, images and search index included", async () => {
  cards = "4";
  // Images that no page has any more stay for one build, for pages that a cache still holds.
  for (const isLater of [false, true]) {
    const before = siteNow();
    const { status, stderr } = await build("--shard", "1/2");
    expect(status, stderr).toBe(0);
    // The message is true: it has no effect in a build.
    expect(stderr).toContain("--shard has no effect in build\n");
    const after = siteNow();
    expect([...after.keys()]).not.toContain("/shard.json");
    const different = [...before.keys(), ...after.keys()]
      .filter((path) => before.get(path) !== after.get(path))
      .map((path) => {
        const change = !before.has(path) ? "added" : after.has(path) ? "changed" : "removed";
        return JSON.stringify({ change, path });
      });
    const lines = changes().trim().split("\n");
    expect(lines.toSorted()).toEqual([...new Set(different)].sort());
    expect(/"removed","path":"\/_cards\//.test(changes())).toBe(isLater);
    const counts = Object.values((reportOf() as { changes?: object }).changes ?? {}) as number[];
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(lines.length);
  }
});

test("a site that was rendered anew and not audited has no build.json", async () => {
  const again = await run("render", ["--state", stateDir, "--out", outDir, "--quiet"], {
    SITE_DATE: "2026-11-25",
  });
  expect(again.status, again.stderr).toBe(0);
  expect(existsSync(join(outDir, "build.json"))).toBe(false);
});
