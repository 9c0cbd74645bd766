/** One of the audit's threads: reads the pages it is sent and says what is wrong with them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { FileTable } from "./file-table.ts";
import type { Finding } from "../finding.ts";
import type { PageToAudit, Task, TaskResult, ThreadSetup } from "./messages.ts";
import { auditPage, idsOf, type ForeignFragment, type PageRules } from "../page/audit-page.ts";

const setup = workerData as ThreadSetup;
const table = new FileTable(setup.files);
const rules: PageRules = { ...setup, hasFile: remembering((file) => table.has(file)) };

/** The same links come on page after page; hashing each of them again would be most of the work. */
function remembering(has: (file: string) => boolean): (file: string) => boolean {
  const known = new Map<string, boolean>();
  return (file) => {
    let found = known.get(file);
    if (found === undefined) {
      if (known.size >= 50_000) known.clear();
      known.set(file, (found = has(file)));
    }
    return found;
  };
}

function auditPages(pages: readonly PageToAudit[]): TaskResult {
  const findings: Finding[] = [];
  const fragments: ForeignFragment[] = [];
  let bytes = 0;
  for (const { path, file, quotes } of pages) {
    const html = read(file);
    if (html === null) {
      findings.push({ kind: "page unreadable", page: path, detail: "" });
      continue;
    }
    bytes += html.length;
    const verdict = auditPage(html.toString("utf8"), path, quotes, rules);
    findings.push(...verdict.findings);
    fragments.push(...verdict.fragments);
  }
  return { findings, fragments, bytes };
}

function findFragments(wanted: readonly ForeignFragment[]): TaskResult {
  const findings: Finding[] = [];
  const idsByFile = new Map<string, ReadonlySet<string>>();
  for (const { file, fragment, page } of wanted) {
    const ids = idsByFile.get(file) ?? idsOf(read(file)?.toString("utf8") ?? "");
    idsByFile.set(file, ids);
    if (!ids.has(fragment)) {
      findings.push({ kind: "broken link", page, detail: `${file} has nothing at #${fragment}` });
    }
  }
  return { findings, fragments: [], bytes: 0 };
}

/** Null for a file that cannot be read, or that is a folder: the site is someone else's to change meanwhile. */
function read(file: string): Buffer | null {
  try {
    return readFileSync(join(setup.outDir, file));
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

parentPort?.on("message", (task: Task) => {
  const result = task.kind === "pages" ? auditPages(task.pages) : findFragments(task.fragments);
  parentPort?.postMessage(result);
});
