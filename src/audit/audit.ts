/**
 * Audits a finished site: every page the plan has and no other, what each of them says and weighs and asks for, the
 * other files, and that no file contains a secret.
 *
 * It trusts the files alone: what was rendered, skipped or copied back makes no difference to it. A file that passed and
 * was not touched since is not read again. Memory grows with the names of the files, and not with what is in them.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { SecretFinder, type Secret } from "../contract/secrets.ts";
import { REPORT_FILE } from "../files/folders.ts";
import { listSite, type ListedFiles } from "../files/walk.ts";
import { Findings, type Finding, type FindingKind } from "./finding.ts";
import { pageOf, type ForeignFragment, type PageToAudit } from "./page/rules.ts";
import { PASSED_FILE, PassedFiles, rulesDigest, SEARCHED_FILE } from "./passed.ts";
import { AuditPool, batches } from "./threads/pool.ts";
import type { FileRead, WantedFragments } from "./threads/reader.ts";
import { auditBuildFile } from "./whole/build-file.ts";
import { Survey } from "./whole/survey.ts";

export interface AuditOptions {
  readonly outDir: string;
  /** Scheme and host of the finished site, without a slash at the end. */
  readonly origin: string;
  /** With slashes at both ends. */
  readonly base: string;
  /** Where the attribution must lead; null on the paid plan. */
  readonly attribution: string | null;
  /** Every page there must be; gone through once. */
  readonly pages: Iterable<PageToAudit>;
  /** Whether a page that is not among them may be there all the same, by its address. */
  readonly mayHave?: (path: string) => boolean;
  /** Origins that pages may send to when a person asks for it; default none. */
  readonly mayAsk?: readonly string[];
  /** Values that no file may contain; default none. */
  readonly secrets?: readonly Secret[];
  /** Other folders that must hold no secret either. */
  readonly alsoSearch?: readonly string[];
  /** Folder that remembers which files passed; default none, and every file is read. */
  readonly stateDir?: string;
  /** Reads every file, also those that passed before; default false. */
  readonly all?: boolean;
  /** Its files as they are now; by default they are listed. */
  readonly listed?: ListedFiles | undefined;
  /** Ends the audit between two pages. */
  readonly signal?: AbortSignal;
  readonly threads?: number;
  /** Hears the number of pages read so far. */
  readonly say?: (pages: number) => void;
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
 * @throws {DiskError} when the folder cannot be read
 * @throws the reason of `signal`
 */
export async function auditSite(options: AuditOptions): Promise<AuditReport> {
  const { outDir, secrets = [], alsoSearch = [] } = options;
  const findings = new Findings();
  const survey = new Survey(options, findings);
  const counts: Record<string, number> = {};
  /** A page that wants a fragment, by file and fragment. */
  const fragments = new Map<string, Map<string, string>>();
  let pages = 0;
  let unchanged = 0;
  let bytes = 0;
  const want = (page: string, foreign: readonly ForeignFragment[]): void => {
    for (const one of foreign) {
      const end = one.indexOf("\0");
      const known = fragments.getOrInsertComputed(one.slice(0, end), () => new Map());
      known.set(one.slice(end + 1), page);
    }
  };
  const take = (files: readonly FileRead[]): void => {
    for (const file of files) {
      file.findings.forEach((finding) => findings.add(finding));
      want(pageOf(file.file), file.fragments);
      bytes += file.bytes;
    }
    passed?.note(files);
    options.say?.(pages);
  };
  const mustRead = (file: string, expected?: PageToAudit): boolean => {
    options.signal?.throwIfAborted();
    const size = passed?.sizeIfPassed(file, expected) ?? null;
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
  function* others(): Generator<string> {
    for (const file of survey.others()) if (mustRead(file)) yield file;
  }
  function* wanted(): Generator<WantedFragments> {
    for (const [file, pages] of fragments) yield { file, pages };
  }
  const setup = {
    outDir,
    origin: options.origin,
    base: options.base,
    attribution: options.attribution,
    mayAsk: options.mayAsk ?? [],
    secrets,
    files: survey.files,
  };
  using passed = openPassed(options, survey);
  await using pool = new AuditPool(setup, options.threads ?? availableParallelism());
  await pool.run(
    batches(present(), (items) => ({ kind: "pages", items })),
    take,
  );
  const html = bytes;
  await pool.run(
    batches(others(), (items) => ({ kind: "files", items })),
    take,
  );
  const site = bytes;
  if (secrets.length > 0) {
    for (const folder of alsoSearch) await searchFolder(folder, options, pool, findings);
  }
  for (const [file, wanted] of passed?.wantedAgain() ?? []) want(pageOf(file), wanted);
  await pool.run(
    batches(wanted(), (items) => ({ kind: "fragments", items })),
    take,
  );
  passed?.keep();
  if (survey.files.has(REPORT_FILE)) checkBuildFile(outDir, findings, survey, site, counts);
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

function openPassed(options: AuditOptions, { listed: files, shared }: Survey): PassedFiles | null {
  const { stateDir, outDir, origin, base, attribution, mayAsk, secrets, all } = options;
  if (stateDir === undefined) return null;
  const given = [origin, base, attribution, mayAsk, secrets];
  const rules = rulesDigest(given, outDir, shared);
  const path = join(stateDir, PASSED_FILE);
  return new PassedFiles({ path, rules, files, all: all ?? false });
}

/** Searches the files of a folder for secrets, as far as they changed since nothing was found in them. */
async function searchFolder(
  folder: string,
  { stateDir, secrets, all = false }: AuditOptions,
  pool: AuditPool,
  findings: Findings,
): Promise<void> {
  const files = listSite(folder);
  const rules = rulesDigest([secrets], folder, []);
  using searched =
    stateDir === undefined
      ? null
      : new PassedFiles({ path: join(stateDir, SEARCHED_FILE), rules, files, all });
  const isUnsearched = (file: string) => (searched?.sizeIfPassed(file) ?? null) === null;
  await pool.run(
    // One by one: databases are large.
    batches(
      [...files.keys()].filter(isUnsearched),
      (items) => ({ kind: "others", folder, items }),
      1,
    ),
    (files) => {
      for (const file of files) file.findings.forEach((finding) => findings.add(finding));
      searched?.note(files);
    },
  );
  searched?.keep();
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

function checkBuildFile(
  outDir: string,
  findings: Findings,
  survey: Survey,
  siteBytes: number,
  pages: Readonly<Record<string, number>>,
): void {
  const content = readFileSync(join(outDir, REPORT_FILE));
  const truth = { files: survey.files.size - 1, bytes: siteBytes - content.length, pages };
  auditBuildFile(content.toString("utf8"), truth, (kind, detail) =>
    findings.add({ kind, page: REPORT_FILE, detail }),
  );
}
