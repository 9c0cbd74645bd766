/** Builds a whole site of given quotes with `npm run render`, into a folder of its own. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeSnapshot, type SnapshotDraft } from "./make-snapshot.ts";

const ROOT = join(import.meta.dirname, "../..");

const TODAY = "2026-11-21";

export interface BuiltSite {
  readonly outDir: string;
  readonly stateDir: string;
  remove(): void;
}

/** @param variables such as SITE_BASE and SITE_THEME */
export async function buildSite(
  draft: SnapshotDraft,
  variables: Readonly<Record<string, string>> = {},
): Promise<BuiltSite> {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-site-"));
  const outDir = join(folder, "dist");
  const { stateDir } = makeSnapshot({ stateDir: join(folder, "state"), ...draft });
  await promisify(execFile)(
    process.execPath,
    [
      ...[join(ROOT, "scripts/commonplace.mjs"), "render"],
      ...["--state", stateDir, "--out", outDir, "--quiet"],
    ],
    {
      cwd: ROOT,
      env: {
        PATH: process.env["PATH"],
        SITE_DIR: process.env["SITE_DIR"],
        SITE_DATE: TODAY,
        ...variables,
      },
    },
  );
  return {
    outDir,
    stateDir,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
