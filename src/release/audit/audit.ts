/**
 * Audits a finished site: every page the plan has and no other, each with its attribution, its quotes, ids that are
 * unique and links that lead somewhere.
 *
 * It trusts the files alone: what was rendered, skipped or copied back makes no difference to it.
 */
import { availableParallelism } from "node:os";
import { FileTable } from "./threads/file-table.ts";
import { Findings, type Finding, type FindingKind } from "./finding.ts";
import type { PageToAudit, Task, TaskResult } from "./threads/messages.ts";
import type { ForeignFragment } from "./page/audit-page.ts";
import { AuditPool } from "./threads/pool.ts";
import { filesOf } from "../files.ts";

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
  readonly threads?: number;
  /** Hears the number of pages read so far. */
  readonly say?: (pages: number) => void;
}

export interface AuditReport {
  readonly pages: number;
  /** Of HTML. */
  readonly bytes: number;
  /** Findings in all, of which `findings` are the first few of each kind. */
  readonly total: number;
  readonly counts: Partial<Record<FindingKind, number>>;
  readonly findings: readonly Finding[];
}

/** Pages in one task: enough to keep a thread from waiting, few enough to keep its memory small. */
const BATCH = 64;

/** @throws {DiskError} when the folder cannot be read */
export async function auditSite(options: AuditOptions): Promise<AuditReport> {
  const { outDir, origin, base, attribution } = options;
  const findings = new Findings();
  const unplanned = new Set<string>();
  const files = [...filesOf(outDir)];
  for (const file of files) if (file.endsWith(".html")) unplanned.add(file);
  const table = FileTable.of(files);
  files.length = 0;

  let pages = 0;
  let bytes = 0;
  const fragments = new Map<string, ForeignFragment>();
  const take = (result: TaskResult): void => {
    for (const finding of result.findings) findings.add(finding);
    for (const wanted of result.fragments)
      fragments.set(`${wanted.file}#${wanted.fragment}`, wanted);
    bytes += result.bytes;
    options.say?.(pages);
  };
  function* present(): Generator<PageToAudit> {
    for (const page of options.pages) {
      pages++;
      if (unplanned.delete(page.file)) yield page;
      else findings.add({ kind: "page missing", page: page.path, detail: "" });
    }
  }

  const setup = { outDir, origin, base, attribution, files: table.memory };
  const pool = new AuditPool(setup, options.threads ?? availableParallelism());
  try {
    await pool.run(
      batches(present(), (some): Task => ({ kind: "pages", pages: some })),
      take,
    );
    // By file, so that each is read once.
    const wanted = [...fragments.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
    await pool.run(
      batches(wanted, (some): Task => ({ kind: "fragments", fragments: some })),
      take,
    );
  } finally {
    await pool.close();
  }
  for (const file of unplanned) {
    const path = `/${file.replace(/(^|\/)index\.html$/, "$1")}`;
    if (options.mayHave?.(path) !== true) {
      findings.add({ kind: "page not planned", page: path, detail: "" });
    }
  }
  return {
    pages,
    bytes,
    total: findings.total,
    counts: findings.counts(),
    findings: findings.kept(),
  };
}

function* batches<T>(items: Iterable<T>, task: (some: readonly T[]) => Task): Generator<Task> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield task(batch);
    batch = [];
  }
  if (batch.length > 0) yield task(batch);
}
