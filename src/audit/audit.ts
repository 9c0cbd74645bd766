/**
 * Audits a finished site: that its pages are those of the plan, what each page shows, weighs and requests, its other
 * files, and that no file contains a secret.
 *
 * It relies on the files alone, not on how the build made them. A file that passed an audit and is unchanged is not read
 * again. Memory grows with the number of files, not with their size.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SecretFinder, type Secret } from "../util/secrets.ts";
import { REPORT_ASIDE, REPORT_FILE } from "../files/folders.ts";
import { onDisk } from "../files/disk.ts";
import { listSite, type ListedFiles } from "../files/walk.ts";
import { API_SCHEMA } from "./files/api.ts";
import { Findings, type Finding, type FindingKind } from "./finding.ts";
import { linkFault, targetOf } from "./page/links.ts";
import { OWN_KIND, pageOf, type PageToAudit, type SiteRules } from "./page/rules.ts";
import { PASSED_FILE, openPassed, rulesDigest, SEARCHED_FILE, secretsDigest } from "./passed.ts";
import { openReader, type FileRead } from "./reader.ts";
import { auditBuildFile } from "./whole/build-file.ts";
import { auditNames, isPrivate } from "./whole/names.ts";
import { auditRobots } from "./whole/robots.ts";
import { auditSitemaps, SITEMAP_INDEX } from "./whole/sitemap.ts";
import { getOrCompute } from "../util/get-or-compute.ts";

export interface AuditOptions extends SiteRules {
  readonly outDir: string;
  /** Stores which files passed, and must not contain a secret either. */
  readonly stateDir: string;
  /** The pages that the site must have; iterated once. */
  readonly pages: Iterable<PageToAudit>;
  /** Whether the site may have a page at this address that is not among `pages`. */
  readonly mayHave: (path: string) => boolean;
  /** Addresses of the menu in `site/config.ts`: a fault is reported there first, since every page has it. */
  readonly menu: readonly string[];
  readonly secrets: readonly Secret[];
  /** The files of the site; default: listed here. */
  readonly listed?: ListedFiles | undefined;
  /** Reads every file, also those that passed an earlier audit. Default false. */
  readonly all?: boolean;
  readonly signal?: AbortSignal;
  /** Receives the number of planned pages so far. */
  readonly onProgress?: (pages: number) => void;
}

export type AuditReport = Readonly<Awaited<ReturnType<typeof auditSite>>>;

/** Bytes: a smaller change of the state folder is searched in this thread, since starting threads takes longer. */
const MOST_HERE = 1 << 25;

const SHARED = /\.(?:css|m?js)$/;

/** A page that Astro writes for its option `redirects`, and where it leads. */
const REDIRECT =
  /^<!doctype html><title>Redirecting to: ([^<]*)<\/title><meta http-equiv="refresh"/;

/**
 * @returns the number of `pages`, and how many of them are `unchanged` since they passed; `bytes` of HTML; the `total` of
 *   findings without warnings, `counts` by kind, and the first `findings` of each kind; the names of the secrets that were
 *   searched for, and of those that are too short to be
 * @throws {DiskError} when the site cannot be read, or the state folder cannot be written
 * @throws the reason of `signal`
 */
export async function auditSite(options: AuditOptions) {
  const { outDir, stateDir, origin, base, attribution, mayAsk, service, allow } = options;
  const { secrets, all = false } = options;
  const finder = new SecretFinder(secrets);
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
  for (const file of [...files].filter(isPrivate)) {
    report("secret", file, "a file for credentials; remove it from site/public");
  }
  const hasFile = (file: string): boolean => files.has(file);
  const inSitemap = auditSitemaps({ origin, base, hasFile, read }, (file, fault) =>
    report("sitemap", file, fault),
  );
  for (const address of options.menu) checkLink(address, "/", "menu of site/config.ts");
  const sitemap = inSitemap === null ? null : origin + base + SITEMAP_INDEX;
  auditRobots(read("robots.txt"), sitemap, (kind, fault) => report(kind, "robots.txt", fault));

  const kinds: Record<string, number> = {};
  let [pages, unchanged, bytes] = [0, 0, 0];
  const planned = new Set<string>();
  /** By file and fragment: a page that links there. */
  const fragments = new Map<string, Map<string, string>>();
  // The verdict on every page depends on these files.
  const shared = [...files].filter((file) => SHARED.test(file) || file === API_SCHEMA);
  const given = { origin, base, attribution, mayAsk, service, allow };
  const hidden = secretsDigest(secrets);
  const rules = rulesDigest([JSON.stringify(given), hidden], outDir, shared);
  using passed = openPassed(join(stateDir, PASSED_FILE), rules, listed, all);
  await using reader = openReader({ ...given, secrets, outDir, stateDir, files }, options.signal);
  const take = takeInto(passed);
  await reader.read("page", changedPages(), take);
  const html = bytes;
  await reader.read("file", changedFiles(), take);
  const site = bytes;
  if (secrets.length > 0) await searchState();
  for (const [file, wanted] of passed.wantedAgain()) want(pageOf(file), wanted);
  await reader.read("fragments", fragments, take);
  for (const [what, file, count] of passed.doubles())
    report("double", pageOf(file), `${count} pages have its ${what}`);
  passed.keep();
  // A build that ends restores or removes this file.
  if (hasFile(REPORT_ASIDE)) report("build report", "/", "a build of it did not end");
  const buildFile = content(REPORT_FILE);
  if (buildFile !== null) {
    const truth = { files: files.size - 1, bytes: site - buildFile.length, pages: kinds };
    auditBuildFile(buildFile.toString("utf8"), truth, (fault) =>
      report("build report", REPORT_FILE, fault),
    );
  }
  const { total, counts, kept } = findings;
  return {
    ...{ pages, unchanged, bytes: html, total, counts },
    // The name of a file may contain a secret, and callers store the report.
    findings: finder.redact(kept),
    secrets: { searched: finder.names, tooShort: finder.tooShort },
  };

  function* changedPages(): Generator<PageToAudit> {
    for (const page of options.pages) {
      const { file, path, kind, unlisted, canonical } = page;
      const isLeftOut = unlisted || canonical !== undefined;
      planned.add(file);
      pages++;
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      if (inSitemap !== null && kind !== OWN_KIND && inSitemap.has(file) === isLeftOut)
        report(
          "sitemap",
          path,
          isLeftOut ? "it is listed and hidden from search" : "it is not listed",
        );
      if (!files.has(file)) report("page missing", path);
      else if (mustRead(file, page)) yield page;
      else unchanged++;
    }
  }

  /** The other files that must be read; an unexpected page among them is a finding. */
  function* changedFiles(): Generator<string> {
    for (const file of files) {
      if (planned.has(file)) continue;
      const path = pageOf(file);
      if (path !== file) checkUnplanned(path, read(file) ?? "");
      if (mustRead(file)) yield file;
    }
  }

  /** A page that is not planned is a redirect, to a file of the site or elsewhere, or a page that a fork may have made. */
  function checkUnplanned(path: string, html: string): void {
    const [, address] = REDIRECT.exec(html) ?? [];
    if (address === undefined) {
      if (!options.mayHave(path)) report("page not planned", path);
      return;
    }
    checkLink(address, path, path);
  }

  function checkLink(address: string, path: string, page: string): void {
    const fault = linkFault(address, targetOf(address, path, { origin, base }), hasFile);
    if (fault !== null) report("broken link", page, fault);
  }

  function mustRead(file: string, expected?: PageToAudit): boolean {
    options.signal?.throwIfAborted();
    const size = passed.sizeIfPassed(file, expected);
    bytes += size ?? 0;
    return size === null;
  }

  /** @param memory stores which of the files passed */
  function takeInto(memory: typeof passed) {
    return (filesRead: readonly FileRead[]): void => {
      for (const file of filesRead) {
        file.findings.forEach((finding) => findings.add(finding));
        want(pageOf(file.file), file.fragments);
        bytes += file.bytes;
      }
      memory.note(filesRead.filter(({ file }) => finder.find(Buffer.from(file)) === null));
      options.onProgress?.(pages);
    };
  }

  function want(page: string, foreign: FileRead["fragments"]): void {
    for (const one of foreign) {
      const end = one.indexOf("\0");
      const known = getOrCompute(fragments, one.slice(0, end), () => new Map());
      known.set(one.slice(end + 1), page);
    }
  }

  /** Searches the files of the state folder that changed since the last search. */
  async function searchState(): Promise<void> {
    const inState = listSite(stateDir);
    const rules = rulesDigest([hidden], stateDir, []);
    using searched = openPassed(join(stateDir, SEARCHED_FILE), rules, inState, all);
    const changed = [...inState.keys()].filter((file) => searched.sizeIfPassed(file) === null);
    const size = changed.reduce((sum, file) => sum + (inState.get(file)?.size ?? 0), 0);
    const most = size > MOST_HERE ? 1 : Infinity;
    await reader.read("state", changed, takeInto(searched), { size: most, few: most });
    searched.keep();
  }
}

/** Adds the findings of another check to a report, after its own or before them. */
export function withMore(
  report: AuditReport,
  more: readonly Finding[],
  place: "first" | "last" = "last",
): AuditReport {
  if (more.length === 0) return report;
  const own = Map.groupBy(more, ({ kind }) => kind);
  const added = Object.fromEntries([...own].map(([kind, { length }]) => [kind, length]));
  const kept = more.slice(0, Findings.KEPT);
  const isFirst = place === "first";
  const counts = isFirst ? { ...added, ...report.counts } : { ...report.counts };
  for (const [kind, some] of own) counts[kind] = (report.counts[kind] ?? 0) + some.length;
  return {
    ...report,
    total: report.total + more.length,
    counts,
    findings: isFirst ? [...kept, ...report.findings] : [...report.findings, ...kept],
  };
}
