/**
 * The pages as Astro and Vite bundle them, kept in the state folder for as long as no source file changes.
 *
 * A bundle is made under another name and renamed when whole: one that exists is complete.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createRequire } from "node:module";
import { RESTORE_THREAD_FILE, THREAD_FILE } from "./integration.ts";
import { sourceDigest, type Sources } from "./source-digest.ts";

export interface Bundle {
  readonly digest: string;
  readonly home: string;
  /** The module that a thread runs. */
  readonly thread: string;
  /** The same of threads that write lost pages again. */
  readonly restoreThread: string;
  /** Style sheets, scripts, fonts and `public/`, as they go into `dist`. */
  readonly assets: string;
}

export interface BundleOptions extends Sources {
  readonly stateDir: string;
  /** Environment of the pages that says where things are, and not what they are: no part of the digest. */
  readonly places: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The bundle of these sources, which an earlier run may have made. */
export function bundleOf(options: BundleOptions): Bundle {
  const digest = sourceDigest(options);
  const home = resolve(options.stateDir, "bundle", digest);
  const server = join(home, "server");
  return {
    ...{ digest, home, assets: join(home, "client") },
    ...{ thread: join(server, THREAD_FILE), restoreThread: join(server, RESTORE_THREAD_FILE) },
  };
}

/** Takes up a bundle that was made before; false when it has to be made. */
export function takeUp({ home }: Bundle, { root }: BundleOptions): boolean {
  if (!existsSync(home)) return false;
  linkModules(root, home);
  return true;
}

/** Makes a bundle, in a process of its own, and removes those of earlier sources. */
export async function makeBundle(bundle: Bundle, options: BundleOptions): Promise<void> {
  const folder = dirname(bundle.home);
  const unfinished = `${bundle.home}.unfinished`;
  mkdirSync(folder, { recursive: true });
  for (const old of readdirSync(folder)) {
    rmSync(join(folder, old), { recursive: true, force: true });
  }
  await build(options, unfinished);
  linkModules(options.root, unfinished);
  renameSync(unfinished, bundle.home);
}

const PROCESS = fileURLToPath(new URL("./build-process.ts", import.meta.url));

/** A young generation that Astro's modules fit in: with the default, they are collected over and over while they load. */
const FLAGS = ["--disable-warning=ExperimentalWarning", "--min-semi-space-size=32"];

/** What makes the process start and bundle sooner; the user's own choice of each wins. */
const sooner = (root: string) => ({
  // Reading Astro's and Vite's megabytes of code anew takes a fifth of the build of a small site. Node runs what lies in
  // this cache, whoever wrote it: never the shared temporary folder.
  NODE_COMPILE_CACHE: join(root, "node_modules/.cache/commonplace/compile"),
  // The bundler's threads would each clear huge pages that they hardly use: a tenth of a second.
  MIMALLOC_ALLOW_THP: "0",
});

function build(options: BundleOptions, into: string): Promise<void> {
  mkdirSync(into);
  const env = {
    ...sooner(options.root),
    ...process.env,
    ...options.environment,
    ...options.places,
    ASTRO_TELEMETRY_DISABLED: "1",
  };
  const child = spawn(
    process.execPath,
    [...FLAGS, PROCESS, options.root, join(into, "server"), join(into, "client")],
    {
      // Astro moves files from below the working directory to its output, which fails between file systems.
      cwd: into,
      env,
      stdio: ["ignore", "ignore", "pipe"],
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    },
  );
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`Cannot bundle the pages:\n${complaint.trim()}`));
    });
  });
}

/**
 * The bundle imports packages by name; the state folder may be anywhere, so it gets the project's own `node_modules`.
 *
 * No link is made where they are found without one: a process that may write to its own folders alone may not make any.
 */
function linkModules(root: string, home: string): void {
  const modules = nodeModulesOf(join(root, "package.json"));
  if (modules === null) throw new Error(`Cannot find the packages of ${root}: npm ci first`);
  if (nodeModulesOf(join(home, "server.mjs")) === modules) return;
  const link = join(home, "node_modules");
  rmSync(link, { force: true });
  symlinkSync(modules, link, "junction");
}

/** The folder of packages that a module finds; null where it finds none. */
function nodeModulesOf(module: string): string | null {
  try {
    return dirname(dirname(createRequire(module).resolve("astro/package.json")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return null;
    throw error;
  }
}
