/** The output folder after every order in which a build can be killed: what it says of itself, and what the next build lists. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AuditReport } from "../../src/audit/audit.ts";
import { OutputFolder } from "../../src/commands/output-folder.ts";
import { isChanging } from "../../src/files/folders.ts";
import { listSite } from "../../src/files/walk.ts";
import { WrittenFiles } from "../../src/render/written-files.ts";
import { hasReport, type BuildFacts } from "../../src/report/build-json.ts";
import type { BuildReport } from "../../src/report/run-report.ts";
import { tempFolder } from "../support/run/index.ts";

const PAGE = "a/index.html";

const FACTS: BuildFacts = {
  ...{
    snapshot: "s",
    harvest: null,
    dataAsOf: null,
    quotes: 1,
    copies: 0,
    languages: {},
    pages: {},
  },
  ...{ changes: { added: 0, changed: 1, removed: 0 }, thumbnails: null },
};

const auditOf = (isClean: boolean) =>
  ({
    ...{ total: isClean ? 0 : 1, pages: 1 },
    findings: isClean ? [] : [{ kind: "link", page: PAGE, detail: "leads nowhere" }],
  }) as unknown as AuditReport;

/** The steps of a build in their order, on real files. */
const STEPS = ["change", "write", "record", "describe", "settle"] as const;

function siteAt(name: string) {
  const folder = tempFolder(name);
  const [stateDir, outDir] = [join(folder, "state"), join(folder, "dist")];
  mkdirSync(stateDir);
  mkdirSync(join(outDir, "a"), { recursive: true });
  const output = new OutputFolder({ outDir, stateDir });
  /** A build that writes a text, killed after some of its steps. */
  const build = (text: string, steps: number = STEPS.length, isClean = true): void => {
    const work: Readonly<Record<(typeof STEPS)[number], () => void>> = {
      change: () => output.change(),
      write: () => writeFileSync(join(outDir, PAGE), text),
      record: () => {
        using files = new WrittenFiles(stateDir, outDir);
        files.record([{ file: PAGE, key: text, size: text.length, mtime: 1, written: true }]);
        // As a render ends.
        if (isChanging(outDir)) files.writeChanges();
        else files.complete();
      },
      describe: () => output.describe(FACTS, new Date(0), listSite(outDir)),
      settle: () => output.settle(auditOf(isClean)),
    };
    for (const step of STEPS.slice(0, steps)) work[step]();
  };
  const changes = (): string => readFileSync(join(stateDir, "build-changes.ndjson"), "utf8");
  const report = (): BuildReport | null => {
    const path = join(outDir, "build.json");
    return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as BuildReport) : null;
  };
  return { outDir, output, build, changes, report };
}

// What `build.json` says after a kill, in a folder that had a whole site, and in a new one.
test.each<[steps: number, old: string | null, fresh: string | null]>([
  [0, "passed", null],
  [1, null, null],
  [2, null, null],
  [3, null, null],
  [4, "unfinished", "unfinished"],
  [5, "passed", "passed"],
])("a build that is killed after %i steps leaves a folder that says so", (steps, old, fresh) => {
  const site = siteAt("old");
  site.build("one");
  site.build("two", steps);
  expect([site.report()?.audit ?? null, hasReport(site.outDir)]).toEqual([old, true]);
  // The next build lists what the killed one changed, though it writes the same again.
  site.build("two");
  expect(site.report()?.audit).toBe("passed");
  const isKilled = steps < STEPS.length;
  expect(site.changes()).toBe(isKilled ? `{"change":"changed","path":"/a/"}\n` : "");

  const made = siteAt("new");
  made.build("one", steps);
  expect(made.report()?.audit ?? null).toBe(fresh);
  expect(hasReport(made.outDir)).toBe(steps > 0);
  made.build("one");
  expect(made.changes()).toBe(isKilled ? `{"change":"added","path":"/a/"}\n` : "");
});

test("a build that the audit refuses counts as none: its changes are listed again", () => {
  const site = siteAt("refused");
  site.build("one");
  site.build("two", STEPS.length, false);
  expect(site.report()?.audit).toBe("failed");
  site.build("two");
  expect([site.report()?.audit, site.changes()]).toEqual([
    "passed",
    `{"change":"changed","path":"/a/"}\n`,
  ]);
  site.build("two");
  expect(site.changes()).toBe("");
});

test("a command that leaves the audit to another ends a build, until that audit refuses it", () => {
  const site = siteAt("left");
  site.build("one");
  site.build("two", 4);
  site.output.leave();
  site.output.settle(auditOf(false));
  site.build("two");
  expect(site.changes()).toBe(`{"change":"changed","path":"/a/"}\n`);
});

test("an audit of pages that no report describes ends no build", () => {
  const site = siteAt("bare");
  site.build("one", 3);
  expect(site.output.settle(auditOf(true)).report).toBeNull();
  site.build("one");
  expect(site.changes()).toBe(`{"change":"added","path":"/a/"}\n`);
});

test.each([
  ["unchanged", "passed"],
  ["changed", null],
] as const)("a command that made pages alone, %s, leaves the report %s", (pages, audit) => {
  const site = siteAt("pages");
  site.build("one");
  site.build("two", 3);
  site.output.leave(pages);
  expect([site.report()?.audit ?? null, hasReport(site.outDir)]).toEqual([audit, true]);
  site.build("two");
  expect(site.changes()).toBe("");
});
