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
import { REPORT_FILE } from "../files/folders.ts";
import { onDisk } from "../files/disk.ts";
import { listSite } from "../files/walk.ts";
import { Findings, type Finding, type FindingKind } from "./finding.ts";
import { pageOf, type ForeignFragment, type PageToAudit } from "./page/rules.ts";
import { PASSED_FILE, PassedFiles, rulesDigest, SEARCHED_FILE } from "./passed.ts";
import { AuditPool } from "./threads/pool.ts";
import type { FileRead } from "./threads/reader.ts";
import { auditBuildFile } from "./whole/build-file.ts";
import { Survey, type SurveyOptions } from "./whole/survey.ts";

export interface AuditOptions extends SurveyOptions {
  /** Folder that remembers which files passed, and must hold no secret either. */
  readonly stateDir: string;
  /** Where the attribution must lead; null on the paid plan. */
  readonly attribution: string | null;
  /** Every page there must be; gone through once. */
  readonly pages: Iterable<PageToAudit>;
  /** Origins that pages may send to when a person asks for it. */
  readonly mayAsk: readonly string[];
  /** Values that no file may contain. */
  readonly secrets: readonly Secret[];
  /** Reads every file, also those that passed before; default false. */
  readonly all?: boolean;
  /** Ends the audit between two pages. */
  readonly signal?: AbortSignal;
  /** Hears the number of pages read so far. */
  readonly onProgress?: (pages: number) => void;
}

export interface AuditReport {
  readonly pages: number;
  /** Pages among them that passed an earlier audit and were not read again. */
  readonly unchanged: number;
  /** Of HTML. */
  readonly bytes: number;
  /** Findings in all but the warnings; `findings` are the first few of each kind, warnings too. */
  readonly total: number;
  readonly counts: Partial<Record<FindingKind, number>>;
  readonly findings: readonly Finding[];
  /** Names of the secrets that were searched for, and of those too short for it. */
  readonly secrets: { readonly searched: readonly string[]; readonly tooShort: readonly string[] };
}

/**
 * @throws {DiskError} when the site cannot be read, or the state folder cannot be written
 * @throws the reason of `signal`
 */
export async function auditSite(options: AuditOptions): Promise<AuditReport> {
  const { outDir, stateDir, origin, base, attribution, mayAsk, secrets, all = false } = options;
  const findings = new Findings();
  const survey = new Survey(options, findings);
  const { files, listed } = survey;
  const counts: Record<string, number> = {};
  /** A page that wants a fragment, by file and fragment. */
  const fragments = new Map<string, Map<string, string>>();
  let pages = 0;
  let unchanged = 0;
  let bytes = 0;
  const given = [origin, base, attribution, mayAsk, secrets];
  const rules = rulesDigest(given, outDir, survey.shared);
  using passed = new PassedFiles({ path: join(stateDir, PASSED_FILE), rules, files: listed, all });
  const want = (page: string, foreign: readonly ForeignFragment[]): void => {
    for (const one of foreign) {
      const end = one.indexOf("\0");
      const known = fragments.getOrInsertComputed(one.slice(0, end), () => new Map());
      known.set(one.slice(end + 1), page);
    }
  };
  const take = (read: readonly FileRead[]): void => {
    for (const file of read) {
      file.findings.forEach((finding) => findings.add(finding));
      want(pageOf(file.file), file.fragments);
      bytes += file.bytes;
    }
    passed.note(read);
    options.onProgress?.(pages);
  };
  const mustRead = (file: string, expected?: PageToAudit): boolean => {
    options.signal?.throwIfAborted();
    const size = passed.sizeIfPassed(file, expected);
    bytes += size ?? 0;
    return size === null;
  };
  function* present(): Generator<PageToAudit> {
    for (const page of options.pages) {
      pages++;
      counts[page.kind] = (counts[page.kind] ?? 0) + 1;
      if (!survey.expect(page)) findings.add({ kind: "page missing", page: page.path, detail: "" });
      else if (mustRead(page.file, page)) yield page;
      else unchanged++;
    }
  }
  const setup = { outDir, stateDir, origin, base, attribution, mayAsk, secrets, files };
  await using pool = new AuditPool(setup);
  await pool.read("page", present(), take);
  const html = bytes;
  await pool.read(
    "file",
    survey.others().filter((file) => mustRead(file)),
    take,
  );
  const site = bytes;
  if (secrets.length > 0) await searchState(options, pool, findings);
  for (const [file, wanted] of passed.wantedAgain()) want(pageOf(file), wanted);
  await pool.read("fragments", fragments, take);
  passed.keep();
  if (files.has(REPORT_FILE)) {
    const path = join(outDir, REPORT_FILE);
    const content = onDisk("read", path, () => readFileSync(path));
    const truth = { files: files.size - 1, bytes: site - content.length, pages: counts };
    auditBuildFile(content.toString("utf8"), truth, (kind, detail) =>
      findings.add({ kind, page: REPORT_FILE, detail }),
    );
  }
  const { names: searched, tooShort } = new SecretFinder(secrets);
  return {
    pages,
    unchanged,
    bytes: html,
    total: findings.total,
    counts: findings.counts(),
    findings: findings.kept(),
    secrets: { searched, tooShort },
  };
}

/** Searches the state folder for secrets, as far as it changed since nothing was found in it. */
async function searchState(
  { stateDir, secrets, all = false }: AuditOptions,
  pool: AuditPool,
  findings: Findings,
): Promise<void> {
  const files = listSite(stateDir);
  const rules = rulesDigest([secrets], stateDir, []);
  using searched = new PassedFiles({ path: join(stateDir, SEARCHED_FILE), rules, files, all });
  await pool.read(
    "state",
    files.keys().filter((file) => searched.sizeIfPassed(file) === null),
    (read) => {
      for (const file of read) file.findings.forEach((finding) => findings.add(finding));
      searched.note(read);
    },
  );
  searched.keep();
}

/** The same report with what another way of looking found. */
export function withMore(report: AuditReport, more: readonly Finding[]): AuditReport {
  const counts = { ...report.counts };
  for (const { kind } of more) counts[kind] = (counts[kind] ?? 0) + 1;
  return {
    ...report,
    total: report.total + more.length,
    counts,
    findings: [...report.findings, ...more.slice(0, Findings.KEPT)],
  };
}
