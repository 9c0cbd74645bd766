/**
 * Runs Pagefind's program, which its package brings for each platform.
 *
 * The program and not the Node API: the API never answers when its process dies, and keeps the memory of all languages.
 */
import { execFile } from "node:child_process";
import { createRequire, findPackageJSON } from "node:module";
import { promisify } from "node:util";
import { DiskError } from "../contract/errors.ts";

const run = promisify(execFile);

/** Parts of a card that are no words of the quote: its likes, with the votes or in words, and the link to its own address. */
const EXCLUDED = [".likes", "vote-box", ".permalink"];

/**
 * Makes the bundle of one language.
 *
 * @param options the finished site, a glob of files below it, the BCP 47 tag that decides the stemmer, and an empty folder
 *   for the bundle
 * @throws {DiskError} when Pagefind fails
 * @throws the reason of `signal`
 */
export async function makeBundle(options: {
  readonly site: string;
  readonly glob: string;
  readonly language: string;
  readonly output: string;
  readonly signal: AbortSignal | undefined;
}): Promise<void> {
  const { site, glob, language, output, signal } = options;
  const args = [
    ...["--site", site, "--glob", glob, "--force-language", language, "--output-path", output],
    ...EXCLUDED.flatMap((selector) => ["--exclude-selectors", selector]),
    "--silent",
  ];
  // Neither Pagefind's variables nor a configuration file of its own in the current folder may change the index.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("PAGEFIND_")),
  );
  try {
    await run(program(), args, { env, cwd: output, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    signal?.throwIfAborted();
    throw new DiskError(`Cannot index ${glob}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Version of the installed Pagefind. */
export function pagefindVersion(): string {
  const { version } = createRequire(import.meta.url)(packageFile()) as { version: string };
  return version;
}

function program(): string {
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
  if (signal) return `Pagefind was ended by ${signal}; it needs 1 GB of memory per 100,000 quotes`;
  // A Rust panic says where it was, then what it was, then how to see more.
  const lines = (stderr ?? "").split("\n").map((line) => line.trim());
  return lines.find((line) => line !== "" && !/^(?:thread|note:) /.test(line)) ?? error.message;
}
