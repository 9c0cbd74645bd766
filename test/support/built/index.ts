/**
 * Builds a whole site of given quotes with `npm run render`, into a folder of its own.
 *
 * The same site is asked for by many files: it is built once in a run of the tests, and copied.
 */
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { run, tempFolder } from "../run/index.ts";
import {
  makeSnapshot,
  type QuoteDraft,
  siteQuotes,
  type SnapshotDraft,
} from "../snapshot/index.ts";

/** Some hours after the harvest of `makeSnapshot()`: what was built is never old. */
const NOW = "2026-11-21T09:00:00.000Z";

export interface BuiltSite {
  readonly outDir: string;
  readonly stateDir: string;
}

/** @param variables such as SITE_BASE and SITE_THEME */
export async function buildSite(
  draft: SnapshotDraft,
  variables: Readonly<Record<string, string>> = {},
): Promise<BuiltSite> {
  const folder = tempFolder("site");
  if (draft.stateDir !== undefined) await renderInto(folder, draft, variables);
  else {
    const quotes = [...draft.quotes];
    const what = [
      { ...draft, quotes },
      { SITE_THEME: "folio", SITE_BASE: "/", ...variables },
    ];
    const made = await madeOnce(what, (shared) =>
      renderInto(shared, { ...draft, quotes }, variables),
    );
    cpSync(made, folder, { recursive: true });
  }
  return { outDir: join(folder, "dist"), stateDir: draft.stateDir ?? join(folder, "state") };
}

/** Where the pages of built sites vote, until a test sends their votes to a service of its own. */
export const NOWHERE = "http://127.0.0.1:8080";

/** The site of `siteQuotes()` below `/sub/`; its first two quotes are new. */
export function buildSubSite(quotes: readonly QuoteDraft[] = siteQuotes()): Promise<BuiltSite> {
  const firstSeen = { 1: "2026-11-20T02:03:00.000Z", 2: "2026-11-19T02:03:00.000Z" };
  return buildSite(
    { quotes, firstSeen },
    { SITE_BASE: "/sub/", SITE_URL: "https://quotes.example", VOTE_BASE_URL: NOWHERE },
  );
}

/** The pages of a site, but those that Astro writes for the `redirects` of a fork. */
export function pagesIn(folder: string): string[] {
  return globSync("**/*.html", { cwd: folder }).filter((page) => !isRedirect(join(folder, page)));
}

export function isRedirect(page: string): boolean {
  return readFileSync(page, "utf8").startsWith("<!doctype html><title>Redirecting to:");
}

/**
 * Makes a folder once in a run of the tests: the first that asks for it makes it, the others wait.
 *
 * @param what names the folder; the same words, the same folder
 * @returns the folder, to be copied and not written to
 */
export async function madeOnce(
  what: unknown,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const name = createHash("sha256").update(JSON.stringify(what)).digest("hex").slice(0, 16);
  const folder = join(process.env["TEST_SITES"] ?? tmpdir(), name);
  const done = join(folder, "done");
  const failed = join(folder, "failed");
  const maker = join(folder, "maker");
  // A file that is tried once more makes it anew.
  if (existsSync(failed)) rmSync(folder, { recursive: true, force: true });
  if (mkdirSync(folder, { recursive: true }) === undefined) {
    while (!existsSync(done)) {
      if (existsSync(failed) || (existsSync(maker) && !isRunning(readFileSync(maker, "utf8"))))
        throw new Error("Cannot share a folder: the test that made it failed");
      await sleep(50);
    }
    return folder;
  }
  writeFileSync(maker, String(process.pid));
  try {
    await make(folder);
    writeFileSync(done, "");
  } catch (error) {
    writeFileSync(failed, "");
    throw error;
  }
  return folder;
}

/** False for a worker of the tests that ended before it had made its folder. */
function isRunning(pid: string): boolean {
  try {
    return pid === "" || process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

async function renderInto(
  folder: string,
  draft: SnapshotDraft,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const { stateDir } = makeSnapshot({ stateDir: join(folder, "state"), ...draft });
  // To cut small typefaces takes a tenth of such a build. They are named by what they are made from.
  const [letters, cut] = [
    join(stateDir, "letters"),
    join(process.env["TEST_SITES"] ?? folder, "letters"),
  ];
  if (existsSync(cut)) cpSync(cut, letters, { recursive: true });
  const { status, stderr } = await run(
    "render",
    ["--state", stateDir, "--out", join(folder, "dist"), "--quiet"],
    { SITE_NOW: NOW, ...variables },
  );
  if (status !== 0) throw new Error(`Cannot build a site: ${stderr}`);
  if (existsSync(letters)) cpSync(letters, cut, { recursive: true });
}
