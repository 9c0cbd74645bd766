/** Reads the files that the audit sends, in a thread or where it runs itself. */
import { join } from "node:path";
import Tinypool from "tinypool";
import type { FoundSecret } from "../../contract/secrets.ts";
import { auditFile, READ_WHOLE } from "../files/site-file.ts";
import type { Finding } from "../finding.ts";
import { auditPage, missingIds } from "../page/audit-page.ts";
import type { ForeignFragment, PageToAudit } from "../page/rules.ts";
import { scanFile, type Scanned } from "../secrets/scan-file.ts";
import { SiteFiles, type ThreadSetup } from "./site-files.ts";

/** Fragments of one file, and for each a page that has the link. */
export interface WantedFragments {
  readonly file: string;
  readonly pages: ReadonlyMap<string, string>;
}

export type Task =
  | { readonly kind: "pages"; readonly items: readonly PageToAudit[] }
  /** Files of the site that are no planned pages. */
  | { readonly kind: "files"; readonly items: readonly string[] }
  /** Files elsewhere that must hold no secret. */
  | { readonly kind: "others"; readonly folder: string; readonly items: readonly string[] }
  /** Fragments that other pages link to. */
  | { readonly kind: "fragments"; readonly items: readonly WantedFragments[] };

/** What one file was found to be. */
export interface FileRead {
  /** Below the folder that is read. */
  readonly file: string;
  readonly bytes: number;
  /** What the file alone shows. */
  readonly findings: readonly Finding[];
  /** Hashes of the files of the site that it links to, each once. */
  readonly links: Int32Array;
  readonly fragments: readonly ForeignFragment[];
}

/** @returns what reads the files that a task names; those of other folders may be gone, and are left out */
export function openReader(setup: ThreadSetup): (task: Task) => Promise<FileRead[]> {
  const site = new SiteFiles(setup);
  return async (task) => {
    switch (task.kind) {
      case "pages":
        return task.items.map((page) => readPage(site, page));
      case "files":
        return inTurn(task.items, (file) => readFile(site, file));
      case "others":
        return inTurn(task.items, (file) => searchFile(site, task.folder, file));
      case "fragments":
        return task.items.flatMap((wanted) => findFragments(site, wanted));
    }
  };
}

let reader: ReturnType<typeof openReader> | undefined;

/** The job of a thread of the pool. */
export default (task: Task): Promise<FileRead[]> =>
  (reader ??= openReader(Tinypool.workerData as ThreadSetup))(task);

async function inTurn<T>(
  items: readonly T[],
  read: (item: T) => Promise<FileRead | null>,
): Promise<FileRead[]> {
  const files: FileRead[] = [];
  for (const item of items) {
    const file = await read(item);
    if (file !== null) files.push(file);
  }
  return files;
}

function readPage(site: SiteFiles, page: PageToAudit): FileRead {
  const content = site.read(page.file);
  if (content === null) return unreadable(site, page.file, page.path);
  const { findings, fragments } = auditPage(content, page, site.rules);
  const secret = secretIn(page.path, site.finder.find(content));
  return fileRead(site, page.file, content.length, [...findings, ...secret], fragments);
}

async function readFile(site: SiteFiles, file: string): Promise<FileRead> {
  const scanned = await scan(site, site.path(file));
  if (scanned === null) return unreadable(site, file, file);
  const { findings, fragments } = READ_WHOLE.test(file)
    ? auditFile(file, site.read(file)?.toString("utf8") ?? "", site.rules, () => site.api())
    : { findings: [], fragments: [] };
  const secret = secretIn(file, scanned.found);
  return fileRead(site, file, scanned.bytes, [...secret, ...findings], fragments);
}

async function searchFile(site: SiteFiles, folder: string, file: string): Promise<FileRead | null> {
  // The log of a database is gone when the last reader closes it.
  const scanned = await scan(site, join(folder, file));
  if (scanned === null) return null;
  return fileRead(site, file, 0, secretIn(`state folder, ${file}`, scanned.found));
}

/** @returns the file where it lacks one: it is read each time, so that all that link to it are asked again */
function findFragments(site: SiteFiles, { file, pages }: WantedFragments): FileRead[] {
  const html = site.read(file)?.toString("utf8") ?? "";
  const findings = Array.from(missingIds(html, pages.keys()), (fragment): Finding => {
    const page = pages.get(fragment) ?? "";
    return { kind: "broken link", page, detail: `${file} has nothing at #${fragment}` };
  });
  return findings.length === 0 ? [] : [fileRead(site, file, 0, findings)];
}

function fileRead(
  site: SiteFiles,
  file: string,
  bytes: number,
  findings: readonly Finding[],
  fragments: readonly ForeignFragment[] = [],
): FileRead {
  return { file, bytes, findings, links: site.takeLinks(), fragments };
}

function unreadable(site: SiteFiles, file: string, page: string): FileRead {
  return fileRead(site, file, 0, [{ kind: "page unreadable", page, detail: "" }]);
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
