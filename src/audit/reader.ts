/**
 * Audits files in worker threads. A batch is made when a thread is free, so a million pages never wait in memory. Few files are
 * audited in the main thread, since starting the workers takes longer.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { crc32 } from "node:zlib";
import Tinypool from "tinypool";
import { parseJson } from "../contract/decode.ts";
import { SecretFinder, type FoundSecret, type Secret } from "../util/secrets.ts";
import { eachOf } from "../util/work.ts";
import { REPORT_FILE } from "../files/folders.ts";
import { API_SCHEMA, apiCheck } from "./files/api.ts";
import { AUDITED, auditFile } from "./files/site-file.ts";
import { weighFiles } from "./files/weights.ts";
import type { Finding } from "./finding.ts";
import { auditPage } from "./page/audit-page.ts";
import { missingIds } from "./page/facts.ts";
import type { PageRules, PageToAudit, SiteRules, FileAudit } from "./page/rules.ts";
import { scanFile } from "./secrets/scan-file.ts";

/** The result for one file, with what `passed.ts` stores. */
export interface FileRead extends FileAudit {
  /** Path below the site's or the state folder. */
  readonly file: string;
  readonly bytes: number;
  /** CRC-32 of the paths that it links to. A collision only makes the audit read a file again. */
  readonly links: Uint32Array;
}

interface ThreadSetup extends SiteRules {
  readonly outDir: string;
  readonly stateDir: string;
  readonly secrets: readonly Secret[];
  /** Paths of the site's files. Each thread has a copy: 6 MB for 75,000 paths. */
  readonly files: ReadonlySet<string>;
}

/** The name of the function that audits the items. */
type Kind = keyof ReturnType<typeof readersOf>;
type Item<K extends Kind> = Parameters<ReturnType<typeof readersOf>[K]>[0];

interface Task {
  readonly kind: Kind;
  readonly items: readonly Item<Kind>[];
}

const THREADS = availableParallelism();

/** How items are divided into tasks. */
interface Tasks {
  /** Items of a task. */
  readonly size: number;
  /** So many items are audited in the main thread. */
  readonly few: number;
}

/**
 * Enough files for a task to keep a thread busy, few enough to use little memory. The few, those of most nights, take less
 * processor time than two threads take to load and compile the audit.
 */
const TASKS: Tasks = { size: 256, few: 1_024 };

export function openReader(setup: ThreadSetup, signal?: AbortSignal) {
  const readHere = taskReader(setup);
  const pool = new Tinypool({
    filename: import.meta.url,
    workerData: setup,
    // Pages become garbage at once, so a small heap suffices and takes no more time.
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
    minThreads: 0,
    // Threads stay between two kinds of tasks: a new one compiles its code again.
    idleTimeout: 60_000,
    maxThreads: THREADS,
  });
  return {
    /**
     * Audits all items of a kind; `take` receives the results in the order in which tasks end.
     */
    async read<K extends Kind>(
      kind: K,
      items: Iterable<Item<K>>,
      take: (files: FileRead[]) => void,
      tasks = TASKS,
    ): Promise<void> {
      await eachOf(batchesOf(items, tasks), THREADS, async ({ items, isFew }) => {
        const task = { kind, items };
        // Between two batches this thread learns of a signal.
        if (isFew) await setImmediate();
        signal?.throwIfAborted();
        take(isFew ? await readHere(task) : ((await pool.run(task)) as FileRead[]));
      });
    },
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

function* batchesOf<T>(all: Iterable<T>, { size, few }: Tasks) {
  const items: T[] = [];
  let isFew = true;
  for (const item of all) {
    if (items.length === (isFew ? few : size)) {
      isFew = false;
      while (items.length > 0) yield { items: items.splice(0, size), isFew };
    }
    items.push(item);
  }
  while (items.length > 0) yield { items: items.splice(0, size), isFew };
}

let readTask: ReturnType<typeof taskReader> | undefined;

/** The entry point of a worker thread. */
export default (task: Task): Promise<FileRead[]> =>
  (readTask ??= taskReader(Tinypool.workerData as ThreadSetup))(task);

function taskReader(setup: ThreadSetup) {
  const readers = readersOf(setup);
  return async ({ kind, items }: Task): Promise<FileRead[]> => {
    const files: FileRead[] = [];
    for (const item of items) {
      const file = await readers[kind](item as never);
      if (file !== null) files.push(file);
    }
    return files;
  };
}

/** A reader returns null for a file without a result. */
function readersOf({ outDir, stateDir, secrets, files, ...given }: ThreadSetup) {
  const finder = new SecretFinder(secrets);
  /** `FileRead.links` of the current file. */
  const links = new Set<number>();
  const rules: PageRules = {
    ...given,
    hasFile: (file) => {
      links.add(crc32(file));
      // The build may write its report after this audit.
      return files.has(file) || file === REPORT_FILE;
    },
    weights: weighFiles(contentOf),
  };
  const checkApi = apiCheck(() => parseJson(textOf(API_SCHEMA)));
  return {
    page(page: PageToAudit): FileRead {
      const content = contentOf(page.file);
      if (content === null) return unreadable(page.file, page.path);
      const { findings, fragments, named } = auditPage(content, page, rules);
      const secret = secretIn(page.path, page.file, finder.find(content));
      return { ...fileRead(page.file, content.length, [...findings, ...secret], fragments), named };
    },
    /** @param file of the site that is not a planned page */
    async file(file: string): Promise<FileRead> {
      const scanned = await scanFile(join(outDir, file), finder).catch(nullIfGone);
      if (scanned === null) return unreadable(file, file);
      const { findings, fragments } = AUDITED.test(file)
        ? auditFile(file, textOf(file), rules, checkApi)
        : { findings: [], fragments: [] };
      const secret = secretIn(file, file, scanned.found);
      return fileRead(file, scanned.bytes, [...secret, ...findings], fragments);
    },
    /** @param file of the state folder, which must hold no secret */
    async state(file: string): Promise<FileRead | null> {
      // SQLite removes the log of a database when its last reader closes it.
      const scanned = await scanFile(join(stateDir, file), finder).catch(nullIfGone);
      return scanned && fileRead(file, 0, secretIn(`state folder, ${file}`, file, scanned.found));
    },
    /**
     * @param wanted fragments of the file, and for each a page that links to it
     * @returns the file where it lacks a fragment: the finding makes each audit read the file, and so check all links to it
     */
    fragments([file, wanted]: readonly [string, ReadonlyMap<string, string>]): FileRead | null {
      const findings = Array.from(missingIds(textOf(file), wanted.keys()), (id): Finding => {
        const detail = `${file} has nothing at #${id}`;
        return { kind: "broken link", page: wanted.get(id) ?? "", detail };
      });
      return findings.length === 0 ? null : fileRead(file, 0, findings);
    },
  };

  function fileRead(
    file: string,
    bytes: number,
    findings: readonly Finding[],
    fragments: FileAudit["fragments"] = [],
  ): FileRead {
    const linked = Uint32Array.from(links);
    links.clear();
    return { file, bytes, findings, links: linked, fragments };
  }

  /** A finding never contains the secret itself: logs show it. */
  function secretIn(page: string, file: string, inContent: FoundSecret | null): Finding[] {
    const found = inContent ?? finder.find(Buffer.from(file));
    if (found === null) return [];
    const where = inContent === null ? "in its name" : `at byte ${found.start}`;
    return [{ kind: "secret", page, detail: `${found.name}, ${found.encoding}, ${where}` }];
  }

  function unreadable(file: string, page: string): FileRead {
    return fileRead(file, 0, [{ kind: "page unreadable", page, detail: "" }]);
  }

  function contentOf(file: string): Buffer | null {
    try {
      return readFileSync(join(outDir, file));
    } catch (error) {
      return nullIfGone(error);
    }
  }

  function textOf(file: string): string {
    return contentOf(file)?.toString("utf8") ?? "";
  }
}

/** Handles the error of a file that cannot be read: another program may change the site meanwhile. */
function nullIfGone(error: unknown): null {
  if (error instanceof Error && "code" in error) return null;
  throw error;
}
