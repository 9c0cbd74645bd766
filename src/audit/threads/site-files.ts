/** What a thread of the audit reads and remembers: the site's files, their weights, the schema of its API. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPORT_FILE } from "../../files/ownership.ts";
import { SecretFinder } from "../../contract/secrets/finder.ts";
import { API_SCHEMA, ApiSchema } from "../files/api.ts";
import { weighFiles } from "../files/weights.ts";
import type { PageRules } from "../page/rules.ts";
import { FileTable, shortHashOf } from "./file-table.ts";
import type { ThreadSetup } from "./messages.ts";

export class SiteFiles {
  readonly rules: PageRules;
  readonly finder: SecretFinder;
  readonly #outDir: string;
  readonly #links = new Set<number>();
  #api: ApiSchema | undefined;

  constructor({ outDir, secrets, files, ...setup }: ThreadSetup) {
    this.#outDir = outDir;
    this.finder = new SecretFinder(secrets);
    const table = new FileTable(files);
    this.rules = {
      ...setup,
      // It comes with the build that these pages are a part of, or once their audit has ended.
      hasFile: remembering((file) => file === REPORT_FILE || table.has(file), this.#links),
      weights: weighFiles((file) => this.read(file)),
    };
  }

  path(file: string): string {
    return join(this.#outDir, file);
  }

  /** Null for a file that cannot be read, or that is a folder: the site is someone else's to change meanwhile. */
  read(file: string): Buffer | null {
    try {
      return readFileSync(this.path(file));
    } catch (error) {
      if (error instanceof Error && "code" in error) return null;
      throw error;
    }
  }

  /** The hashes of the files that were asked for since the last call. */
  takeLinks(): Uint32Array {
    const links = Uint32Array.from(this.#links);
    this.#links.clear();
    return links;
  }

  /** The published schema; one that cannot be read defines nothing. */
  api(): ApiSchema {
    return (this.#api ??= new ApiSchema(parsed(this.read(API_SCHEMA))));
  }
}

function parsed(bytes: Buffer | null): unknown {
  try {
    return JSON.parse(bytes?.toString("utf8") ?? "null");
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * The same links come on page after page; hashing each of them again would be most of the work.
 *
 * @param asked takes the hash of each file that is asked for
 */
function remembering(
  has: (file: string) => boolean,
  asked: Set<number>,
): (file: string) => boolean {
  const known = new Map<string, { readonly found: boolean; readonly hash: number }>();
  return (file) => {
    let facts = known.get(file);
    if (facts === undefined) {
      if (known.size >= 50_000) known.clear();
      known.set(file, (facts = { found: has(file), hash: shortHashOf(file) }));
    }
    asked.add(facts.hash);
    return facts.found;
  };
}
