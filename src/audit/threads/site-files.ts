/** What a thread of the audit knows: the site's files, their weights, the schema of its API. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SecretFinder, type Secret } from "../../contract/secrets.ts";
import { parseJson } from "../../contract/decode.ts";
import { REPORT_FILE } from "../../files/folders.ts";
import { API_SCHEMA, ApiSchema } from "../files/api.ts";
import { weighFiles } from "../files/weights.ts";
import { linkHash } from "../page/links.ts";
import type { PageRules } from "../page/rules.ts";

/** Handed to a thread when it starts. */
export interface ThreadSetup {
  readonly outDir: string;
  readonly origin: string;
  readonly base: string;
  readonly attribution: string | null;
  readonly mayAsk: readonly string[];
  readonly secrets: readonly Secret[];
  /** Names of the site's files. Each thread has a copy: 6 MB for 75,000 names. */
  readonly files: ReadonlySet<string>;
}

export class SiteFiles {
  readonly rules: PageRules;
  readonly finder: SecretFinder;
  readonly #outDir: string;
  readonly #links: number[] = [];
  #api: ApiSchema | undefined;

  constructor({ outDir, secrets, files, ...setup }: ThreadSetup) {
    this.#outDir = outDir;
    this.finder = new SecretFinder(secrets);
    this.rules = {
      ...setup,
      hasFile: (file) => {
        this.#links.push(linkHash(file));
        // The report comes with the build that these pages are a part of, or once their audit has ended.
        return files.has(file) || file === REPORT_FILE;
      },
      weights: weighFiles((file) => this.read(file)),
    };
  }

  path(file: string): string {
    return join(this.#outDir, file);
  }

  /** Null for a file that cannot be read, or that is a folder: another program may change the site meanwhile. */
  read(file: string): Buffer | null {
    try {
      return readFileSync(this.path(file));
    } catch (error) {
      if (error instanceof Error && "code" in error) return null;
      throw error;
    }
  }

  /** The hashes of the files that were asked for since the last call. */
  takeLinks(): Int32Array {
    return Int32Array.from(new Set(this.#links.splice(0)));
  }

  /** The published schema; one that cannot be read defines nothing. */
  api(): ApiSchema {
    return (this.#api ??= new ApiSchema(parseJson(this.read(API_SCHEMA)?.toString("utf8") ?? "")));
  }
}
