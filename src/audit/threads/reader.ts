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
import { auditPage, missingIds } from "../page/audit-page.ts";
import { linkHash } from "../page/links.ts";
import type { ForeignFragment, PageRules, PageToAudit, Verdict } from "../page/rules.ts";
import { scanFile, type Scanned } from "../secrets/scan-file.ts";

/** Fragments of one file, and for each a page that has the link. */
export interface WantedFragments {
  readonly file: string;
  readonly pages: ReadonlyMap<string, string>;
}

/** What is read, by the kind of task. */
export interface Items {
  readonly pages: PageToAudit;
  /** Files of the site that are no planned pages. */
  readonly files: string;
  /** Files of the state folder, which must hold no secret. */
  readonly state: string;
  /** Fragments that other pages link to. */
  readonly fragments: WantedFragments;
}

export type TaskKind = keyof Items;

export type Task = {
  readonly [Kind in TaskKind]: { readonly kind: Kind; readonly items: readonly Items[Kind][] };
}[TaskKind];

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

  /** Reads the files that a task names, one after the other; those of the state folder that are gone are left out. */
  async read({ kind, items }: Task): Promise<FileRead[]> {
    const files: FileRead[] = [];
    switch (kind) {
      case "pages":
        for (const page of items) files.push(this.#readPage(page));
        break;
      case "files":
        for (const file of items) files.push(await this.#readFile(file));
        break;
      case "state":
        for (const file of items) files.push(...(await this.#searchState(file)));
        break;
      case "fragments":
        for (const wanted of items) files.push(...this.#findFragments(wanted));
    }
    return files;
  }

  #readPage(page: PageToAudit): FileRead {
    const content = this.#content(page.file);
    if (content === null) return this.#unreadable(page.file, page.path);
    const { findings, fragments } = auditPage(content, page, this.#rules);
    const secret = secretIn(page.path, this.#finder.find(content));
    return this.#fileRead(page.file, content.length, [...findings, ...secret], fragments);
  }

  async #readFile(file: string): Promise<FileRead> {
    const scanned = await this.#scan(join(this.#setup.outDir, file));
    if (scanned === null) return this.#unreadable(file, file);
    const { findings, fragments } = READ_WHOLE.test(file)
      ? auditFile(file, this.#text(file), this.#rules, () => this.#apiSchema())
      : { findings: [], fragments: [] };
    const secret = secretIn(file, scanned.found);
    return this.#fileRead(file, scanned.bytes, [...secret, ...findings], fragments);
  }

  async #searchState(file: string): Promise<FileRead[]> {
    // The log of a database is gone when the last reader closes it.
    const scanned = await this.#scan(join(this.#setup.stateDir, file));
    if (scanned === null) return [];
    return [this.#fileRead(file, 0, secretIn(`state folder, ${file}`, scanned.found))];
  }

  /** @returns the file where it lacks one: it is read each time, so that all that link to it are asked again */
  #findFragments({ file, pages }: WantedFragments): FileRead[] {
    const findings = Array.from(missingIds(this.#text(file), pages.keys()), (fragment): Finding => {
      const page = pages.get(fragment) ?? "";
      return { kind: "broken link", page, detail: `${file} has nothing at #${fragment}` };
    });
    return findings.length === 0 ? [] : [this.#fileRead(file, 0, findings)];
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

  /** Null for a file that cannot be read, or that is a folder: another program may change the site meanwhile. */
  #content(file: string): Buffer | null {
    try {
      return readFileSync(join(this.#setup.outDir, file));
    } catch (error) {
      if (error instanceof Error && "code" in error) return null;
      throw error;
    }
  }

  #text(file: string): string {
    return this.#content(file)?.toString("utf8") ?? "";
  }

  /** Null for a file that cannot be read, or is gone. */
  async #scan(path: string): Promise<Scanned | null> {
    try {
      return await scanFile(path, this.#finder);
    } catch (error) {
      if (error instanceof Error && "code" in error) return null;
      throw error;
    }
  }

  /** The published schema; one that cannot be read defines nothing. */
  #apiSchema(): ApiSchema {
    return (this.#api ??= new ApiSchema(parseJson(this.#text(API_SCHEMA))));
  }
}

let reader: Reader | undefined;

/** The job of a thread of the pool. */
export default (task: Task): Promise<FileRead[]> =>
  (reader ??= new Reader(Tinypool.workerData as ThreadSetup)).read(task);

/** A finding never contains the secret: it goes to logs that many can read. */
function secretIn(page: string, found: FoundSecret | null): Finding[] {
  if (found === null) return [];
  const { name, encoding, start } = found;
  return [{ kind: "secret", page, detail: `${name}, ${encoding}, at byte ${start}` }];
}
