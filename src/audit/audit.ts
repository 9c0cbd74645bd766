/**
 * Audits a finished site: every page the plan has and no other, what each of them says and weighs and asks for, the
 * other files, and that no file contains a secret.
 *
 * It trusts the files alone: what was rendered, skipped or copied back makes no difference to it. A file that passed and
 * was not touched since is not read again. Memory grows with the names of the files, and not with what is in them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SecretFinder, type Secret } from "../contract/secrets.ts";
import { REPORT_ASIDE, REPORT_FILE } from "../files/folders.ts";
import { onDisk } from "../files/disk.ts";
import { listSite, type ListedFiles } from "../files/walk.ts";
import { API_SCHEMA } from "./files/api.ts";
import { Findings, type Finding, type FindingKind } from "./finding.ts";
import { OWN_KIND, pageOf, type PageToAudit, type SiteRules } from "./page/rules.ts";
import { PASSED_FILE, openPassed, rulesDigest, SEARCHED_FILE, secretsDigest } from "./passed.ts";
import { openReader, type FileRead } from "./reader.ts";
import { auditBuildFile } from "./whole/build-file.ts";
import { auditNames } from "./whole/names.ts";
import { auditRobots } from "./whole/robots.ts";
import { auditSitemaps, SITEMAP_INDEX } from "./whole/sitemap.ts";

export interface AuditOptions extends SiteRules {
  readonly outDir: string;
  /** Folder that remembers which files passed, and must hold no secret either. */
  readonly stateDir: string;
  /** Every page there must be; gone through once. */
  readonly pages: Iterable<PageToAudit>;
  /** Whether a page that is not planned may be there all the same, by its address. */
  readonly mayHave: (path: string) => boolean;
  /** Values that no file may contain. */
  readonly secrets: readonly Secret[];
  /** The site's files as they are now; by default they are listed. */
  readonly listed?: ListedFiles | undefined;
  /** Reads every file, also those that passed before; default false. */
  readonly all?: boolean;
  /** Ends the audit between two pages. */
  readonly signal?: AbortSignal;
  /** Hears the number of pages read so far. */
  readonly onProgress?: (pages: number) => void;
}

export type AuditReport = Readonly<Awaited<ReturnType<typeof auditSite>>>;

/** Bytes of the state folder that are searched sooner than threads start; beyond, each file is a task: databases are large. */
const MOST_HERE = 1 << 25;

const SHARED = /\.(?:css|m?js)$/;

/** What Astro writes for an address of `redirects`; it shows nothing of the collection. */
const REDIRECT = /^<!doctype html><title>Redirecting to: [^<]*<\/title><meta http-equiv="refresh"/;

/**
 * @returns `unchanged`: the pages among all `pages` that passed an earlier audit and were not read again; `bytes` of HTML;
 *   `total` findings in all but the warnings, of which `findings` has the first few of each kind, warnings too; and the names
 *   of the secrets that were searched for, and of those too short for it
 * @throws {DiskError} when the site cannot be read, or the state folder cannot be written
 * @throws the reason of `signal`
 */
export async function auditSite(options: AuditOptions) {
  const { outDir, stateDir, origin, base, attribution, mayAsk, secrets, all = false } = options;
  const findings = new Findings();
  const report = (kind: FindingKind, page: string, detail = ""): void =>
    findings.add({ kind, page, detail });
  const listed = options.listed ?? listSite(outDir);
  const files = new Set(listed.keys());
  const content = (file: string): Buffer | null => {
    const path = join(outDir, file);
    return files.has(file) ? onDisk("read", path, () => readFileSync(path)) : null;
  };
  const read = (file: string): string | null => content(file)?.toString("utf8") ?? null;
  auditNames(files, (file, fault) => report("unsafe file name", file, fault));
  const hasFile = (file: string): boolean => files.has(file);
  const inSitemap = auditSitemaps({ origin, base, hasFile, read }, (file, fault) =>
    report("sitemap", file, fault),
  );
  const sitemap = inSitemap === null ? null : origin + base + SITEMAP_INDEX;
  auditRobots(read("robots.txt"), sitemap, (kind, fault) => report(kind, "robots.txt", fault));

  /** Pages by their kind. */
  const kinds: Record<string, number> = {};
  let [pages, unchanged, bytes] = [0, 0, 0];
  const planned = new Set<string>();
  /** A page that wants a fragment, by file and fragment. */
  const fragments = new Map<string, Map<string, string>>();
  // What pages are weighed with and files compared with.
  const shared = [...files].filter((file) => SHARED.test(file) || file === API_SCHEMA);
  const given = { origin, base, attribution, mayAsk };
  const hidden = secretsDigest(secrets);
  const rules = rulesDigest([...Object.values(given), hidden], outDir, shared);
  using passed = openPassed(join(stateDir, PASSED_FILE), rules, listed, all);
  await using reader = openReader({ ...given, secrets, outDir, stateDir, files });
  const take = takeInto(passed);
  await reader.read("page", changedPages(), take);
  const html = bytes;
  await reader.read("file", changedFiles(), take);
  const site = bytes;
  if (secrets.length > 0) await searchState();
  for (const [file, wanted] of passed.wantedAgain()) want(pageOf(file), wanted);
  await reader.read("fragments", fragments, take);
  passed.keep();
  // A build puts it back, or removes it, at its end.
  if (hasFile(REPORT_ASIDE)) report("build report", "/", "a build of it did not end");
  const buildFile = content(REPORT_FILE);
  if (buildFile !== null) {
    const truth = { files: files.size - 1, bytes: site - buildFile.length, pages: kinds };
    auditBuildFile(buildFile.toString("utf8"), truth, (fault) =>
      report("build report", REPORT_FILE, fault),
    );
  }
  const { total, counts, kept } = findings;
  const { names: searched, tooShort } = new SecretFinder(secrets);
  return {
    ...{ pages, unchanged, bytes: html, total, counts, findings: kept },
    secrets: { searched, tooShort },
  };

  /** The planned pages that must be read. */
  function* changedPages(): Generator<PageToAudit> {
    for (const page of options.pages) {
      const { file, path, kind, unlisted } = page;
      planned.add(file);
      pages++;
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      if (inSitemap !== null && kind !== OWN_KIND && inSitemap.has(file) === unlisted)
        report(
          "sitemap",
          path,
          unlisted ? "it is listed and hidden from search" : "it is not listed",
        );
      if (!files.has(file)) report("page missing", path);
      else if (mustRead(file, page)) yield page;
      else unchanged++;
    }
  }

  /** The other files that must be read; a page among them is a finding, unless it may be there or leads on. */
  function* changedFiles(): Generator<string> {
    for (const file of files) {
      if (planned.has(file)) continue;
      const path = pageOf(file);
      if (path !== file && !options.mayHave(path) && !REDIRECT.test(read(file) ?? ""))
        report("page not planned", path);
      if (mustRead(file)) yield file;
    }
  }

  function mustRead(file: string, expected?: PageToAudit): boolean {
    options.signal?.throwIfAborted();
    const size = passed.sizeIfPassed(file, expected);
    bytes += size ?? 0;
    return size === null;
  }

  /** Adds what a batch of files shows, and notes the files that passed. */
  function takeInto(memory: typeof passed) {
    return (filesRead: readonly FileRead[]): void => {
      for (const file of filesRead) {
        file.findings.forEach((finding) => findings.add(finding));
        want(pageOf(file.file), file.fragments);
        bytes += file.bytes;
      }
      memory.note(filesRead);
      options.onProgress?.(pages);
    };
  }

  function want(page: string, foreign: FileRead["fragments"]): void {
    for (const one of foreign) {
      const end = one.indexOf("\0");
      const known = fragments.getOrInsertComputed(one.slice(0, end), () => new Map());
      known.set(one.slice(end + 1), page);
    }
  }

  /** Searches the state folder for secrets, as far as it changed since nothing was found in it. */
  async function searchState(): Promise<void> {
    const inState = listSite(stateDir);
    const rules = rulesDigest([hidden], stateDir, []);
    using searched = openPassed(join(stateDir, SEARCHED_FILE), rules, inState, all);
    const changed = [...inState.keys()].filter((file) => searched.sizeIfPassed(file) === null);
    const size = changed.reduce((sum, file) => sum + (inState.get(file)?.size ?? 0), 0);
    await reader.read("state", changed, takeInto(searched), size > MOST_HERE ? 1 : Infinity);
    searched.keep();
  }
}

/** The same report with what another way of looking found. */
export function withMore(report: AuditReport, more: readonly Finding[]): AuditReport {
  const counts = { ...report.counts };
  for (const { kind } of more) counts[kind] = (counts[kind] ?? 0) + 1;
  const findings = [...report.findings, ...more.slice(0, Findings.KEPT)];
  return { ...report, total: report.total + more.length, counts, findings };
}
