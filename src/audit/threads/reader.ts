/** Reads the files that the audit sends, in a thread or where it runs itself. */
import { join } from "node:path";
import { auditFile, READ_WHOLE } from "../files/site-file.ts";
import type { Finding } from "../finding.ts";
import { auditPage, hasId } from "../page/audit-page.ts";
import type { ForeignFragment, PageToAudit } from "../page/rules.ts";
import { scanFile, type Scanned } from "../secrets/scan-file.ts";
import type { FoundSecret } from "../../contract/secrets/finder.ts";
import type { FileRead, Task, TaskResult, ThreadSetup } from "./messages.ts";
import { SiteFiles } from "./site-files.ts";

/** @returns what reads the files that a task names, and says what is wrong with them */
export function openReader(setup: ThreadSetup): (task: Task) => Promise<TaskResult> {
  const site = new SiteFiles(setup);
  return async (task) => {
    switch (task.kind) {
      case "pages":
        return auditPages(site, task.pages);
      case "files":
        return auditFiles(site, task.files);
      case "others":
        return searchFiles(site, task.folder, task.files);
      case "fragments":
        return findFragments(site, task.fragments);
    }
  };
}

function auditPages(site: SiteFiles, pages: readonly PageToAudit[]): TaskResult {
  const findings: Finding[] = [];
  const read: FileRead[] = [];
  let bytes = 0;
  for (const page of pages) {
    const content = site.read(page.file);
    if (content === null) {
      findings.push({ kind: "page unreadable", page: page.path, detail: "" });
      continue;
    }
    bytes += content.length;
    const verdict = auditPage(content, page, site.rules);
    const found = [...verdict.findings, ...secretIn(page.path, site.finder.find(content))];
    findings.push(...found);
    read.push(fileRead(site, page.file, found, verdict.fragments));
  }
  return { findings, files: read, bytes };
}

async function auditFiles(site: SiteFiles, files: readonly string[]): Promise<TaskResult> {
  const findings: Finding[] = [];
  const read: FileRead[] = [];
  let bytes = 0;
  for (const file of files) {
    const scanned = await scan(site, site.path(file));
    if (scanned === null) {
      findings.push({ kind: "page unreadable", page: file, detail: "" });
      continue;
    }
    bytes += scanned.bytes;
    const verdict = READ_WHOLE.test(file)
      ? auditFile(file, site.read(file)?.toString("utf8") ?? "", site.rules, () => site.api())
      : { findings: [], fragments: [] };
    const found = [...secretIn(file, scanned.found), ...verdict.findings];
    findings.push(...found);
    read.push(fileRead(site, file, found, verdict.fragments));
  }
  return { findings, files: read, bytes };
}

function fileRead(
  site: SiteFiles,
  file: string,
  { length }: readonly Finding[],
  fragments: readonly ForeignFragment[] = [],
): FileRead {
  return { file, passed: length === 0, links: site.takeLinks(), fragments };
}

async function searchFiles(
  site: SiteFiles,
  folder: string,
  files: readonly string[],
): Promise<TaskResult> {
  const findings: Finding[] = [];
  const read: FileRead[] = [];
  for (const file of files) {
    // The log of a database is gone when the last reader closes it.
    const scanned = await scan(site, join(folder, file));
    const found = secretIn(`state folder, ${file}`, scanned?.found ?? null);
    findings.push(...found);
    if (scanned !== null) read.push(fileRead(site, file, found));
  }
  return { findings, files: read, bytes: 0 };
}

/** Null for a file that cannot be read, or is gone. */
async function scan(site: SiteFiles, path: string): Promise<Scanned | null> {
  try {
    return await scanFile(path, site.finder);
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/** A finding never contains the secret: it goes to logs that many can read. */
function secretIn(page: string, found: FoundSecret | null): Finding[] {
  if (found === null) return [];
  const { name, encoding, start } = found;
  return [{ kind: "secret", page, detail: `${name}, ${encoding}, at byte ${start}` }];
}

function findFragments(site: SiteFiles, wanted: readonly ForeignFragment[]): TaskResult {
  const findings: Finding[] = [];
  const files: FileRead[] = [];
  let read = "";
  let html = "";
  // By file, so that each is read once.
  for (const { file, fragment, page } of wanted) {
    if (file !== read) html = site.read((read = file))?.toString("utf8") ?? "";
    if (hasId(html, fragment)) continue;
    findings.push({ kind: "broken link", page, detail: `${file} has nothing at #${fragment}` });
    // As long as it is read each time, all that link to it are asked again.
    files.push(fileRead(site, file, findings));
  }
  return { findings, files, bytes: 0 };
}
