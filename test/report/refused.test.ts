/** A site that its audit refuses is not complete: the next build lists what changed once more. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settleAudit } from "../../src/commands/site-audit.ts";
import { beginRun } from "../../src/commands/reporting/run-record.ts";
import { siteStages } from "../../src/commands/site-stages.ts";
import { PublishRefused } from "../../src/contract/errors.ts";
import { WrittenFiles } from "../../src/render/written-files.ts";
import { settingsFor, tempFolder } from "../support/run/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";

const { signal } = new AbortController();

/** A rendered site of one page, in the state of a build before its audit. */
function renderedSite() {
  const { stateDir } = makeSnapshot({ quotes: [{ id: 1 }] });
  const outDir = join(tempFolder("site"), "dist");
  mkdirSync(outDir);
  writeFileSync(join(outDir, "index.html"), "<p>Nothing of what a page must have.</p>");
  const record = beginRun({ ...settingsFor("http://quotes.example", stateDir), outDir }, signal);
  {
    using files = new WrittenFiles(stateDir, outDir);
    files.record([{ file: "index.html", key: "1", size: 40, mtime: 1, written: true }]);
    files.complete();
  }
  /** What the next build still calls added. */
  const added = (): number => {
    using files = new WrittenFiles(stateDir, outDir);
    return files.writeChanges().added;
  };
  return { record, added };
}

const AUDIT = { pages: 1, unchanged: 0, weights: [], total: 0, findings: [] };

test("settleAudit() withdraws the mark of a site that it refuses, and keeps that of a sound one", () => {
  const sound = renderedSite();
  expect(settleAudit(sound.record, AUDIT as never)).toBeUndefined();
  expect(sound.added()).toBe(0);
  const refused = renderedSite();
  const finding = { kind: "broken link", page: "/", detail: "/none/" };
  const report = { ...AUDIT, total: 1, findings: [finding] } as never;
  expect(settleAudit(refused.record, report)).toBeInstanceOf(PublishRefused);
  expect(refused.added()).toBe(1);
});

test("the stage Audit of a build ends a refused site without the mark", async () => {
  const { record, added } = renderedSite();
  const run = async (): Promise<void> => siteStages(record).audit.run(() => undefined);
  await expect(run()).rejects.toBeInstanceOf(PublishRefused);
  expect(added()).toBe(1);
});
