/**
 * Reads the files that the audit sends, in worker threads. A task is made only when a thread is free, so a million pages never
 * wait in memory; a single task is done where the audit runs, since starting a thread takes longer.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import Tinypool from "tinypool";
import { parseJson } from "../contract/decode.ts";
import { SecretFinder, type FoundSecret, type Secret } from "../contract/secrets.ts";
import { eachOf } from "../contract/work.ts";
import { REPORT_FILE } from "../files/folders.ts";
import { API_SCHEMA, apiCheck } from "./files/api.ts";
import { auditFile, READ_WHOLE } from "./files/site-file.ts";
import { weighFiles } from "./files/weights.ts";
import type { Finding } from "./finding.ts";
import { auditPage } from "./page/audit-page.ts";
import { missingIds } from "./page/facts.ts";
import { linkHash } from "./page/links.ts";
import type { PageRules, PageToAudit, SiteRules, Verdict } from "./page/rules.ts";
import { scanFile } from "./secrets/scan-file.ts";

/** What one file was found to be. */
export interface FileRead extends Verdict {
  /** Below the folder that is read. */
  readonly file: string;
  readonly bytes: number;
  /** Hashes of the files of the site that it links to, each once. */
  readonly links: Int32Array;
}

/** Handed to a thread when it starts. */
interface ThreadSetup extends SiteRules {
  readonly outDir: string;
  readonly stateDir: string;
  readonly secrets: readonly Secret[];
  /** Names of the site's files. Each thread has a copy: 6 MB for 75,000 names. */
  readonly files: ReadonlySet<string>;
}

/** What is read, by the name of the function that reads it. */
type Kind = keyof ReturnType<typeof readersOf>;
type Item<K extends Kind> = Parameters<ReturnType<typeof readersOf>[K]>[0];

interface Task {
  readonly kind: Kind;
  readonly items: readonly Item<Kind>[];
}

const THREADS = availableParallelism();

/** Files of a task: enough to keep a thread from waiting, few enough to keep its memory small. */
const BATCH = 256;

export function openReader(setup: ThreadSetup) {
  const readHere = taskReader(setup);
  const pool = new Tinypool({
    filename: import.meta.url,
    workerData: setup,
    // Pages are garbage as soon as they are read: a small heap is collected often and costs nothing in time.
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
    minThreads: 0,
    // Between two kinds of tasks: a thread that starts again compiles its code again.
    idleTimeout: 60_000,
    maxThreads: THREADS,
  });
  return {
    /**
     * Reads all items of a kind; results come in the order in which tasks end.
     *
     * @param most items of a task
     */
    async read<K extends Kind>(
      kind: K,
      items: Iterable<Item<K>>,
      take: (files: FileRead[]) => void,
      most = BATCH,
    ): Promise<void> {
      await eachOf(batchesOf(items, most), THREADS, async ({ items, isOnly }) => {
        const task = { kind, items };
        take(isOnly ? await readHere(task) : ((await pool.run(task)) as FileRead[]));
      });
    },
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

function* batchesOf<T>(all: Iterable<T>, size: number) {
  let items: T[] = [];
  let isOnly = true;
  for (const item of all) {
    if (items.length === size) {
      isOnly = false;
      yield { items, isOnly };
      items = [];
    }
    items.push(item);
  }
  if (items.length > 0) yield { items, isOnly };
}

let readTask: ReturnType<typeof taskReader> | undefined;

/** The job of a thread of the pool. */
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

/** Each of them gives null where there is nothing to say. */
function readersOf({ outDir, stateDir, secrets, files, ...given }: ThreadSetup) {
  const finder = new SecretFinder(secrets);
  /** Hashes of the files that the file in hand links to. */
  const links = new Set<number>();
  const rules: PageRules = {
    ...given,
    hasFile: (file) => {
      links.add(linkHash(file));
      // The report comes with the build that these pages are a part of, or once their audit has ended.
      return files.has(file) || file === REPORT_FILE;
    },
    weights: weighFiles(contentOf),
  };
  const checkApi = apiCheck(() => parseJson(textOf(API_SCHEMA)));
  return {
    page(page: PageToAudit): FileRead {
      const content = contentOf(page.file);
      if (content === null) return unreadable(page.file, page.path);
      const { findings, fragments } = auditPage(content, page, rules);
      const secret = secretIn(page.path, finder.find(content));
      return fileRead(page.file, content.length, [...findings, ...secret], fragments);
    },
    /** @param file of the site, and no planned page */
    async file(file: string): Promise<FileRead> {
      const scanned = await scanFile(join(outDir, file), finder).catch(nullIfGone);
      if (scanned === null) return unreadable(file, file);
      const { findings, fragments } = READ_WHOLE.test(file)
        ? auditFile(file, textOf(file), rules, checkApi)
        : { findings: [], fragments: [] };
      const secret = secretIn(file, scanned.found);
      return fileRead(file, scanned.bytes, [...secret, ...findings], fragments);
    },
    /** @param file of the state folder, which must hold no secret */
    async state(file: string): Promise<FileRead | null> {
      // The log of a database is gone when the last reader closes it.
      const scanned = await scanFile(join(stateDir, file), finder).catch(nullIfGone);
      return scanned && fileRead(file, 0, secretIn(`state folder, ${file}`, scanned.found));
    },
    /**
     * @param wanted fragments of a file, and for each a page that has the link
     * @returns the file where it lacks one: it is read each time, so that all that link to it are asked again
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
    fragments: Verdict["fragments"] = [],
  ): FileRead {
    const linked = Int32Array.from(links);
    links.clear();
    return { file, bytes, findings, links: linked, fragments };
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

/** For a file that cannot be read, or that is a folder: another program may change the site meanwhile. */
function nullIfGone(error: unknown): null {
  if (error instanceof Error && "code" in error) return null;
  throw error;
}

/** A finding never contains the secret: it goes to logs that many can read. */
function secretIn(page: string, found: FoundSecret | null): Finding[] {
  if (found === null) return [];
  const { name, encoding, start } = found;
  return [{ kind: "secret", page, detail: `${name}, ${encoding}, at byte ${start}` }];
}
