/** The whole way from a snapshot to an audited site, with the programs that people run. */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import * as auditProgram from "../../src/commands/audit.ts";
import { readSettings } from "../../src/settings/settings.ts";
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

test("npm run audit finds nothing in a site that was just made, hostile names and all", async () => {
  const { status, stdout } = await command("audit", good);
  const kept = String.raw`(?: \(\d+ passed before and did not change\))?`;
  expect(stdout).toMatch(new RegExp(`^\\d+ pages audited${kept}, nothing found\n$`));
  expect(status).toBe(0);
});

/** A file of the site, what is done to it, and what is found then. */
const FAULTS: readonly (readonly [string, RegExp, string])[] = [
  ["404.html", /data-attribution/, "attribution: /404.html: there are 0"],
  ["author/moliere/index.html", /<article.*?<\/article>/s, "quote missing: /author/moliere/: q1"],
  ["index.html", /\/quotes(?=\/tags\/")/, "broken link: /: /tags/: it is not below /quotes/"],
];

test("npm run audit refuses a site with a line for each fault, and prints the same as JSON", async () => {
  const outDir = tempFolder("faulty");
  cpSync(good, outDir, { recursive: true });
  rmSync(join(outDir, "quote/4/index.html"));
  rmSync(join(outDir, "offline/index.html"));
  for (const [file, part] of FAULTS) {
    const path = join(outDir, file);
    writeFileSync(path, readFileSync(path, "utf8").replace(part, ""));
  }
  const { status, stdout } = await command("audit", outDir);
  expect(status).toBe(65);
  // One page of the plan, and one that is a file of the project.
  for (const path of ["/quote/4/", "/offline/"]) expect(stdout).toContain(`page missing: ${path}`);
  for (const [, , line] of FAULTS) expect(stdout).toContain(line);
  const asked = await command("audit", outDir, "--json");
  expect(asked.status).toBe(65);
  const missing = { kind: "page missing", page: "/quote/4/", detail: "" };
  expect(JSON.parse(asked.stdout)).toMatchObject({
    status: 65,
    message: expect.stringMatching(/^Cannot publish .*, and \d+ more/) as unknown,
    counts: { "page missing": 2, attribution: 1 },
    findings: expect.arrayContaining([missing]) as unknown,
  });
});

test("an audit that a signal stops says so, in place of a result", async () => {
  const dirs = { STATE_DIR: stateDir, out: good, quiet: true };
  const settings = readSettings(dirs, { SITE_BASE: "/quotes/" });
  const signal = AbortSignal.abort(new Error("stopped"));
  const audit = auditProgram.run({ settings, options: {}, words: [], signal });
  await expect(audit).rejects.toThrow("stopped");
});

test("npm run audit refuses a folder without a site", async () => {
  const missing = join(good, "missing");
  const { status, stdout, stderr } = await command("audit", missing);
  expect({ status, stdout }).toEqual({ status: 64, stdout: "" });
  expect(stderr).toBe(`Cannot audit ${missing}: no site is there; run "npm run build" first\n`);
});
