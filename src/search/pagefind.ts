/**
 * Runs Pagefind's binary. Its Node API never returns when its process dies, and keeps the memory of all languages.
 */
import { execFile } from "node:child_process";
import { createRequire, findPackageJSON } from "node:module";
import { promisify } from "node:util";
import { DiskError } from "../contract/errors.ts";

const run = promisify(execFile);

/** Parts of a card that are not indexed. `documents.ts` has cut those of the project's own cards; a theme may write them otherwise. */
const EXCLUDED = [".likes", "vote-box", ".do", ".permalink"];

interface BundleOptions {
  /** Pagefind's program; default that of its package. */
  readonly program?: string | undefined;
  /** Folder of the documents. */
  readonly site: string;
  /** BCP 47; it determines the stemmer. */
  readonly language: string;
  /** An empty folder. */
  readonly output: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes the bundle of one language.
 *
 * @throws {DiskError} when Pagefind fails
 * @throws the reason of `signal`
 */
export async function makeBundle(options: BundleOptions): Promise<void> {
  const { site, language, output, signal } = options;
  const args = [
    ...["--site", site, "--force-language", language, "--output-path", output],
    ...EXCLUDED.flatMap((selector) => ["--exclude-selectors", selector]),
    "--silent",
  ];
  // Neither Pagefind's variables nor its configuration file in the current folder may change the index.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("PAGEFIND_")),
  );
  try {
    await run(options.program ?? packagedProgram(), args, {
      env,
      cwd: output,
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw new DiskError(`Cannot index language ${language}: ${reasonOf(error)}`, { cause: error });
  }
}

export function pagefindVersion(): string {
  const { version } = createRequire(import.meta.url)(packageFile()) as { version: string };
  return version;
}

/**
 * Why Pagefind's program does not run on this machine; null where it does. Its program for arm64 ends at once where the pages of
 * memory have 16 or 64 kB, and some platforms have none.
 */
export async function programFault(program?: string): Promise<string | null> {
  try {
    await run(program ?? packagedProgram(), ["--version"], { timeout: 30_000 });
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

function packagedProgram(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const end = process.platform === "win32" ? ".exe" : "";
  const name = `@pagefind/${platform}-${process.arch}/bin/pagefind_extended${end}`;
  return createRequire(packageFile()).resolve(name);
}

function packageFile(): string {
  const file = findPackageJSON("pagefind", import.meta.url);
  if (file === undefined) throw new Error("Cannot find the package pagefind: run npm ci");
  return file;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stderr, signal } = error as Error & { stderr?: string; signal?: string };
  const lines = (stderr ?? "").split("\n").map((line) => line.trim());
  const said = lines.find((line) => line !== "" && !/^(?:thread|note:) /.test(line));
  if (said?.startsWith("<jemalloc>")) return said;
  if (signal) return `Pagefind was ended by ${signal}; it needs 1 GB of memory per 100,000 quotes`;
  // The lines of a Rust panic are its place, its message and a note.
  return said ?? error.message;
}
