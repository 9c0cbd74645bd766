/**
 * Refuses what `astro.config.mjs` sets and Commonplace decides: Astro merges the two, so the key would be ignored in silence.
 *
 * The hook of an integration sees a configuration with all defaults. A value that differs from Astro's default is that of the project.
 */
import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import type { AstroConfig, AstroUserConfig } from "astro";
import { validateConfig } from "astro/config";
import { ConfigurationError } from "../contract/errors.ts";
import { nameOf } from "../files/name-of.ts";
import { PROJECT_ROOT } from "../files/roots.ts";
import { printable } from "../util/text.ts";

const LEAVE_OUT = "remove the key, Commonplace sets it";

/** Keys that Commonplace decides, and what a site does instead. */
const DECIDED: Readonly<Record<string, string>> = {
  site: "remove the key, and set SITE_URL, or url in site/config.ts",
  base: "remove the key, and set SITE_BASE, or base in site/config.ts",
  publicDir: "remove the key, and put the files into site/public, or public",
  cacheDir: "remove the key, and set STATE_DIR, or the option --state",
  output: LEAVE_OUT,
  trailingSlash: LEAVE_OUT,
  "build.format": LEAVE_OUT,
  "build.inlineStylesheets": LEAVE_OUT,
  "build.concurrency": LEAVE_OUT,
  prerenderConflictBehavior: LEAVE_OUT,
  "markdown.syntaxHighlight": LEAVE_OUT,
};

/** Keys that a command passes to Astro, which then hides those of the file. */
const PASSED: Readonly<Record<string, string>> = {
  outDir: "remove the key, and use the option --out",
  cacheDir: DECIDED["cacheDir"] ?? "",
  logger: LEAVE_OUT,
};

/** @param set what Commonplace may set of the configuration: a key with a value of one of these is accepted */
export async function refuseDecidedKeys(
  config: AstroConfig,
  set: readonly object[],
  command: Parameters<typeof validateConfig>[2],
): Promise<void> {
  const untouched = await validateConfig({}, fileURLToPath(config.root), command);
  refuseKeys(DECIDED, config, [untouched, ...set]);
}

/**
 * Refuses keys of the project's file that Astro's hooks do not show, since a command passes its own.
 *
 * @param passed the keys that the command passes
 */
export async function refuseHiddenKeys(file: string, passed: AstroUserConfig): Promise<void> {
  // Astro reports a file that cannot be loaded, with its line.
  const read = (await import(pathToFileURL(join(PROJECT_ROOT, file)).href).catch(() => ({}))) as {
    readonly default?: object;
  };
  refuseKeys(PASSED, read.default ?? {}, [{ outDir: "./dist" }, passed]);
}

/** The name of the project's configuration of Astro; null where it has none. */
export const configFile = (): string | null =>
  globSync("astro.config.{mjs,js,ts,mts}", { cwd: PROJECT_ROOT })[0] ?? null;

function refuseKeys(
  keys: Readonly<Record<string, string>>,
  config: object,
  accepted: readonly object[],
): void {
  for (const [key, advice] of Object.entries(keys)) {
    const given = valueAt(config, key);
    const isAccepted = accepted.some((each) => isDeepStrictEqual(valueAt(each, key), given));
    if (given === undefined || isAccepted) continue;
    const shown = typeof given === "string" && key.endsWith("Dir") ? nameOf(given) : given;
    const value = printable(JSON.stringify(shown) ?? "", 60);
    throw new ConfigurationError(`Cannot use ${key}: ${value} of ${configFile()}: ${advice}`);
  }
}

/** Reads a key of a configuration. Two spellings of one folder or address give one value. */
function valueAt(config: object, key: string): unknown {
  const value = key
    .split(".")
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], config);
  if (value instanceof URL) return resolve(fileURLToPath(value));
  if (typeof value !== "string") return value;
  if (key.endsWith("Dir")) return resolve(PROJECT_ROOT, value);
  return key === "base" || key === "site" ? value.replace(/(?<=.)\/$/, "") : value;
}
