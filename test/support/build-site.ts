/**
 * Builds a whole site of given quotes with `npm run render`, into a folder of its own.
 *
 * The same site is asked for by many files: it is built once in a run of the tests, and copied.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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
  const shared = draft.stateDir === undefined ? process.env["TEST_SITES"] : undefined;
  if (shared === undefined) await renderInto(folder, draft, variables);
  else cpSync(await sharedSite(shared, draft, variables), folder, { recursive: true });
  return {
    outDir: join(folder, "dist"),
    stateDir: draft.stateDir ?? join(folder, "state"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** @returns the folder of the site, which the first that asks for it builds while the others wait */
async function sharedSite(
  shared: string,
  draft: SnapshotDraft,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const defaults = { SITE_THEME: "folio", SITE_BASE: "/" };
  const site = [
    { ...draft, quotes: [...draft.quotes] },
    { ...defaults, ...variables },
  ];
  const folder = join(
    shared,
    createHash("sha256").update(JSON.stringify(site)).digest("hex").slice(0, 16),
  );
  const ended = join(folder, "ended");
  if (mkdirSync(folder, { recursive: true }) === undefined) {
    while (!existsSync(ended)) await sleep(50);
    if (!existsSync(join(folder, "dist/index.html")))
      throw new Error("Cannot copy the site: its build failed");
    return folder;
  }
  try {
    await renderInto(folder, draft, variables);
  } finally {
    writeFileSync(ended, "");
  }
  return folder;
}

async function renderInto(
  folder: string,
  draft: SnapshotDraft,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const { stateDir } = makeSnapshot({ stateDir: join(folder, "state"), ...draft });
  await promisify(execFile)(
    process.execPath,
    [
      ...[join(ROOT, "scripts/commonplace.mjs"), "render"],
      ...["--state", stateDir, "--out", join(folder, "dist"), "--quiet"],
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
}
