/** The whole way from a snapshot to an audited site, with the programs that people run. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { run, tempFolder } from "../support/run/index.ts";

const EVIL = "</script><img src=x onerror=alert(1)>";

const { stateDir } = makeSnapshot({
  quotes: [
    { id: 1, likes: 9, author: "Molière", tags: ["love", "Love"], language: "fr" },
    { id: 2, likes: 8, author: "Moliere", tags: ["love"], language: "en" },
    { id: 3, text: EVIL, author: EVIL, tags: [EVIL], language: "he" },
    { id: 4, text: "../../etc/passwd", author: "../../etc/passwd", tags: ["../../etc/passwd"] },
    { id: 5, author: null, tags: ["CON", "?", "2"], language: "be" },
    { id: 6, author: "Unknown", tags: [], language: "xx" },
  ],
});
const good = tempFolder("good");

const command = (script: string, outDir: string, ...options: readonly string[]) => {
  const args = ["--state", stateDir, "--out", outDir, "--quiet", ...options];
  return run(script, args, { SITE_BASE: "/quotes/" });
};

beforeAll(async () => {
  expect(await command("render", good)).toMatchObject({ status: 0, stderr: "" });
});

/** A copy of the good site with one file changed; null removes it. */
function siteWith(file: string, change: ((html: string) => string) | null): string {
  const outDir = tempFolder("faulty");
  cpSync(good, outDir, { recursive: true });
  const path = join(outDir, file);
  if (change === null) {
    rmSync(path);
    return outDir;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, change(readFileSync(join(good, file), "utf8")));
  return outDir;
}

test("npm run audit finds nothing in a site that was just made, hostile names and all", async () => {
  const { status, stdout } = await command("audit", good);
  expect(stdout).toMatch(
    /^\d+ pages audited(?: \(\d+ passed before and did not change\))?, nothing found\n$/,
  );
  expect(status).toBe(0);
});

test.each<[string, string, ((html: string) => string) | null, string]>([
  ["a fixed page is missing", "about/index.html", null, "page missing: /about/"],
  [
    "the attribution was taken out",
    "404.html",
    (html) => html.replace("data-attribution", ""),
    "attribution: /404.html: there are 0",
  ],
  [
    "a quote was taken out",
    "author/moliere/index.html",
    (html) => html.replace(/<article.*?<\/article>/s, ""),
    "quote missing: /author/moliere/: q1",
  ],
  [
    "a link forgot the base path",
    "about/index.html",
    (html) => html.replace('href="/quotes/tags/"', 'href="/tags/"'),
    "broken link: /about/: /tags/: it is not below /quotes/",
  ],
])("npm run audit refuses a site when %s", async (_, file, change, line) => {
  const { status, stdout } = await command("audit", siteWith(file, change));
  expect(stdout).toContain(line);
  expect(status).toBe(65);
});

test("npm run audit -- --json has the same for a program", async () => {
  const { stdout, status } = await command("audit", siteWith("quote/4/index.html", null), "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    counts: { "page missing": 1 },
    findings: expect.arrayContaining([
      { kind: "page missing", page: "/quote/4/", detail: "" },
    ]) as unknown,
  });
  expect(status).toBe(65);
});

test("npm run audit says when there is no site", async () => {
  const { status, stdout, stderr } = await command("audit", "/nonexistent");
  expect({ status, stdout }).toEqual({ status: 64, stdout: "" });
  expect(stderr).toBe(`Cannot audit /nonexistent: no site is there; run "npm run build" first\n`);
});
