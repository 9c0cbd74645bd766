/**
 * Reads `site/config.ts`, which is code: in this process, or apart in a process that has no environment and hands back data.
 *
 * A process that knows the credential must read it apart. The file may import any package, and what runs in the process that
 * sends requests can read their headers (`node:diagnostics_channel`), although the environment has no credential.
 */
import { fork } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import * as module from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigurationError, errorOf, failureOf, type Failure } from "../contract/errors.ts";
import { nameOf } from "../files/name-of.ts";
import { PACKAGE_ROOT } from "../files/roots.ts";
import { memoise } from "../util/memoise.ts";
import { readSiteConfig, type SiteConfig, type SourceFile } from "../settings/site-config.ts";

/** Time for the file to be read: it is data, and needs none. */
const LONGEST_MS = 60_000;

/** Without a byte order mark, which `readFileSync` alone would keep. */
export const sourceOf = (file: string): SourceFile => ({
  name: nameOf(file),
  text: new TextDecoder().decode(readFileSync(file)),
});

/**
 * Lets the file import Commonplace by its name wherever it lies. The name without "astro-" is that of a fork made before the first
 * release.
 */
const findCommonplace = memoise((root: string) =>
  module.registerHooks({
    resolve: (specifier, context, next) => {
      const [, inside] = /^(?:astro-)?commonplace(\/.*|$)/.exec(specifier) ?? [];
      if (inside === undefined) return next(specifier, context);
      const parentURL = pathToFileURL(join(root, "package.json")).href;
      return next(`astro-commonplace${inside}`, { ...context, parentURL });
    },
  }),
);

/** @throws {ConfigurationError} with the file and the line */
export async function loadConfig(file: string): Promise<SiteConfig> {
  if (!existsSync(file)) return readSiteConfig({});
  findCommonplace(PACKAGE_ROOT);
  const source = sourceOf(file);
  const url = pathToFileURL(file);
  // A dev server reads the file again after each change, and Node loads a module once for each address.
  url.searchParams.set("changed", String(statSync(file).mtimeMs));
  const loaded = await (
    import(/* @vite-ignore */ url.href) as Promise<{ readonly default?: unknown }>
  ).catch((error: unknown) => {
    const why = `Cannot read ${source.name}${reasonOf(error, file)}`;
    throw new ConfigurationError(why, { cause: error });
  });
  if (loaded.default !== undefined) return readSiteConfig(loaded.default, source);
  throw new ConfigurationError(
    `Cannot read ${source.name}: it has no default export; write: export default defineSite({ … })`,
  );
}

/** The line of the file at which its module failed, from the stack, and the reason. */
function reasonOf(error: unknown, file: string): string {
  if (!(error instanceof Error)) return `: ${String(error)}`;
  const places = [file, pathToFileURL(file).href].map((place) => RegExp.escape(place)).join("|");
  const line = new RegExp(`(?:${places})(?:\\?[^:\\s]*)?:(\\d+)`).exec(error.stack ?? "")?.[1];
  return `${line === undefined ? "" : `:${line}`}: ${error.message}`;
}

/** The only message of the process that reads the file. */
type Answer = { readonly config: unknown } | { readonly failure: Failure };

/**
 * Reads the file in a child process with an empty environment.
 *
 * @throws {ConfigurationError} as `loadConfig()` does, and when the process ends without an answer or does not end
 */
export async function loadConfigApart(file: string): Promise<SiteConfig> {
  if (!existsSync(file)) return readSiteConfig({});
  const child = fork(import.meta.filename, [file], {
    env: {},
    execArgv: ["--disable-warning=ExperimentalWarning", ...compileCache()],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  // What the file prints is shown, without a credential that it may have found elsewhere.
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (piece: Buffer) => process.stderr.write(piece));
  }
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const failed = (why: string): void =>
    resolve({ failure: failureOf(new ConfigurationError(`Cannot read ${nameOf(file)}: ${why}`)) });
  const timer = setTimeout(() => failed(`it ran for ${LONGEST_MS / 1_000} s`), LONGEST_MS);
  child.once("message", resolve);
  child.once("error", reject);
  child.once("exit", (code, by) => failed(`its process ended with ${by ?? code ?? "nothing"}`));
  try {
    const answer = await promise;
    if ("failure" in answer) throw errorOf(answer.failure);
    // It is checked here too: the code of the file could have sent the message.
    return readSiteConfig(answer.config, sourceOf(file));
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
}

/** The compile cache of this process, which is chosen by the environment. */
function compileCache(): string[] {
  const folder = module.getCompileCacheDir();
  if (folder === undefined) return [];
  const enable = `import { enableCompileCache } from "node:module"; enableCompileCache(${JSON.stringify(dirname(folder))});`;
  return ["--import", `data:text/javascript,${encodeURIComponent(enable)}`];
}

if (import.meta.main) {
  void loadConfig(process.argv[2] ?? "")
    .then((config): Answer => ({ config }))
    .catch((error: unknown): Answer => ({ failure: failureOf(error) }))
    .then((answer) => process.send?.(answer));
}
