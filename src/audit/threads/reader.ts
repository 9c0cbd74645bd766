/** Reads the files that the audit sends, in a thread or where it runs itself. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Tinypool from "tinypool";
import { parseJson } from "../../contract/decode.ts";
import { SecretFinder, type FoundSecret, type Secret } from "../../contract/secrets.ts";
import { REPORT_FILE } from "../../files/folders.ts";
import { API_SCHEMA, ApiSchema } from "../files/api.ts";
import { auditFile, READ_WHOLE } from "../files/site-file.ts";
import { weighFiles } from "../files/weights.ts";
import type { Finding } from "../finding.ts";
import { auditPage } from "../page/audit-page.ts";
import { missingIds } from "../page/facts.ts";
import { linkHash } from "../page/links.ts";
import type { ForeignFragment, PageRules, PageToAudit, Verdict } from "../page/rules.ts";
import { scanFile, type Scanned } from "../secrets/scan-file.ts";

/** What one file was found to be. */
export interface FileRead extends Verdict {
  /** Below the folder that is read. */
  readonly file: string;
  readonly bytes: number;
  /** Hashes of the files of the site that it links to, each once. */
  readonly links: Int32Array;
}

/** Handed to a thread when it starts. */
export interface ThreadSetup extends Omit<PageRules, "hasFile" | "weights"> {
  readonly outDir: string;
  readonly stateDir: string;
  readonly secrets: readonly Secret[];
  /** Names of the site's files. Each thread has a copy: 6 MB for 75,000 names. */
  readonly files: ReadonlySet<string>;
}

/** What is read, by the name of the method of `Reader` that reads it. */
export type Kind = "page" | "file" | "state" | "fragments";

/** What the method is given. */
export type Item<K extends Kind> = Parameters<Reader[K]>[0];

export interface Task {
  readonly kind: Kind;
  readonly items: readonly Item<Kind>[];
}

/** Each method that reads gives null where there is nothing to say. */
export class Reader {
  readonly #setup: ThreadSetup;
  readonly #rules: PageRules;
  readonly #finder: SecretFinder;
  /** Hashes of the files that the file in hand links to. */
  readonly #links = new Set<number>();
  #api: ApiSchema | undefined;

  constructor(setup: ThreadSetup) {
    this.#setup = setup;
    this.#finder = new SecretFinder(setup.secrets);
    this.#rules = {
      ...setup,
      hasFile: (file) => {
        this.#links.add(linkHash(file));
        // The report comes with the build that these pages are a part of, or once their audit has ended.
        return setup.files.has(file) || file === REPORT_FILE;
      },
      weights: weighFiles((file) => this.#content(file)),
    };
  }

  async readAll({ kind, items }: Task): Promise<FileRead[]> {
    const files: FileRead[] = [];
    for (const item of items) {
      const file = await this[kind](item as never);
      if (file !== null) files.push(file);
    }
    return files;
  }

  page(page: PageToAudit): FileRead {
    const content = this.#content(page.file);
    if (content === null) return this.#unreadable(page.file, page.path);
    const { findings, fragments } = auditPage(content, page, this.#rules);
    const secret = secretIn(page.path, this.#finder.find(content));
    return this.#fileRead(page.file, content.length, [...findings, ...secret], fragments);
  }

  /** @param file of the site, and no planned page */
  async file(file: string): Promise<FileRead> {
    const scanned = await this.#scan(join(this.#setup.outDir, file));
    if (scanned === null) return this.#unreadable(file, file);
    const { findings, fragments } = READ_WHOLE.test(file)
      ? auditFile(file, this.#text(file), this.#rules, () => this.#apiSchema())
      : { findings: [], fragments: [] };
    const secret = secretIn(file, scanned.found);
    return this.#fileRead(file, scanned.bytes, [...secret, ...findings], fragments);
  }

  /** @param file of the state folder, which must hold no secret */
  async state(file: string): Promise<FileRead | null> {
    // The log of a database is gone when the last reader closes it.
    const scanned = await this.#scan(join(this.#setup.stateDir, file));
    if (scanned === null) return null;
    return this.#fileRead(file, 0, secretIn(`state folder, ${file}`, scanned.found));
  }

  /**
   * @param wanted fragments of a file, and for each a page that has the link
   * @returns the file where it lacks one: it is read each time, so that all that link to it are asked again
   */
  fragments([file, wanted]: readonly [string, ReadonlyMap<string, string>]): FileRead | null {
    const findings = Array.from(
      missingIds(this.#text(file), wanted.keys()),
      (fragment): Finding => {
        const page = wanted.get(fragment) ?? "";
        return { kind: "broken link", page, detail: `${file} has nothing at #${fragment}` };
      },
    );
    return findings.length === 0 ? null : this.#fileRead(file, 0, findings);
  }

  #fileRead(
    file: string,
    bytes: number,
    findings: readonly Finding[],
    fragments: readonly ForeignFragment[] = [],
  ): FileRead {
    const links = Int32Array.from(this.#links);
    this.#links.clear();
    return { file, bytes, findings, links, fragments };
  }

  #unreadable(file: string, page: string): FileRead {
    return this.#fileRead(file, 0, [{ kind: "page unreadable", page, detail: "" }]);
  }

  #content(file: string): Buffer | null {
    try {
      return readFileSync(join(this.#setup.outDir, file));
    } catch (error) {
      return nullIfGone(error);
    }
  }

  #text(file: string): string {
    return this.#content(file)?.toString("utf8") ?? "";
  }

  #scan(path: string): Promise<Scanned | null> {
    return scanFile(path, this.#finder).catch(nullIfGone);
  }

  /** The published schema; one that cannot be read defines nothing. */
  #apiSchema(): ApiSchema {
    return (this.#api ??= new ApiSchema(parseJson(this.#text(API_SCHEMA))));
  }
}

let reader: Reader | undefined;

/** The job of a thread of the pool. */
export default (task: Task): Promise<FileRead[]> =>
  (reader ??= new Reader(Tinypool.workerData as ThreadSetup)).readAll(task);

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
