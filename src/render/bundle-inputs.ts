/**
 * Digests everything that the bundle of the pages is made from, so that an equal digest means an equal bundle.
 *
 * It must be right rather than often of use: where it cannot know all inputs it says so, and the build bundles anew.
 */
import { createHash, hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { AstroConfig } from "astro";
import { REPORT_FILE } from "../files/folders.ts";
import { lockFilesOf } from "../files/lock-files.ts";
import { filesBelow } from "../files/walk.ts";

/** The source of Commonplace: its code runs while the pages are bundled. */
const PACKAGE_SRC = fileURLToPath(new URL("..", import.meta.url));

/** Files outside of the folders of sources that code may import. JSON is none: what is imported is a module of the bundle. */
const CODE =
  /\.(?:[cm]?[jt]sx?|astro|vue|svelte|mdx?|html?|(?:post)?css|s[ac]ss|less|styl|svg|png|jpe?g|gif|webp|avif|ico|woff2?|[ot]tf|eot|wasm)$/i;
/** Files that tools read. */
const OF_TOOLS = /^\.|^[^/]*\.(?:ya?ml|toml)$|(?:^|\/)(?:package|theme|[jt]sconfig[^/]*)\.json$/;
/** Where npm, pnpm and yarn note what they installed. */
const INSTALLED = [".package-lock.json", ".pnpm/lock.yaml", ".yarn-state.yml", ".yarn-integrity"];
/** Integrations and Vite plugins whose inputs are those below. */
const KNOWN = /^(?:commonplace(?::|$)|@astrojs\/mdx|@mdx-js\/)/;
/** Code that runs while Astro is configured, and may read the environment. */
const CONFIG = /^[^/]*\.config\.[cm]?[jt]s$/;
/** Variables that change how tools bundle, although no source names them. */
const OF_TOOL = /^(?:NODE_(?:ENV|OPTIONS)|ASTRO_|VITE_|BROWSERSLIST)/;

export interface BundleInputs {
  readonly config: AstroConfig;
  /** All routes, with those that integrations add. */
  readonly routes: unknown;
  /** More files, and folders whose files all count, such as a theme's. */
  readonly sources: readonly string[];
  readonly stateDir: string;
}

/** @returns the digest; null where the inputs are unknown, since an integration or a plugin may read anything */
export function digestInputs(inputs: BundleInputs): string | null {
  const { config, routes, sources, stateDir } = inputs;
  const { integrations, vite, adapter, experimental } = config;
  const parts = [...integrations, ...pluginsOf(vite.plugins)];
  const { incrementalBuild, collectionStorage } = experimental;
  if (!parts.every(({ name }) => name !== undefined && KNOWN.test(name))) return null;
  if (adapter !== undefined || incrementalBuild || collectionStorage !== "single-file") return null;
  const [root = "", srcDir = "", outDir = "", cacheDir = ""] = (
    ["root", "srcDir", "outDir", "cacheDir"] as const
  ).map((name) => fileURLToPath(config[name]));
  const digest = new InputDigest();
  const { text, files } = serialize(config, root);
  const { platform, arch, versions } = process;
  digest.add(JSON.stringify([versions, platform, arch, routes]));
  digest.add(movable(text, folderNames(config, stateDir)));
  const packages = packagesOf(join(root, "package.json"));
  const installed = packages === null ? [] : INSTALLED.map((name) => join(packages, name));
  // Astro reads content collections in every build, before it bundles.
  const content = ["content-assets.mjs", "content-modules.mjs"].map((name) =>
    join(root, ".astro", name),
  );
  const store = join(cacheDir, "data-store.json");
  for (const file of [...files, ...content, ...installed, ...lockFilesOf(root)]) digest.read(file);
  digest.add(digestOf(store));
  const isLeftOut = (folder: string): boolean =>
    /[\\/](?:\.[^\\/]*|node_modules|public)$/.test(folder) ||
    [outDir, stateDir].some((path) => relative(path, folder) === "") ||
    existsSync(join(folder, REPORT_FILE));
  for (const folder of new Set([root, srcDir, PACKAGE_SRC, ...sources])) {
    const enter = (path: string): boolean => !isLeftOut(join(folder, path));
    if (!isFolder(folder)) digest.read(folder);
    else {
      for (const file of filesBelow(folder, { links: "files", enter })) {
        const isConfig = folder === root && CONFIG.test(file);
        const isSource = [srcDir, PACKAGE_SRC].includes(folder);
        if (isSource || isConfig || CODE.test(file) || OF_TOOLS.test(file)) {
          digest.read(join(folder, file), isConfig);
        }
      }
    }
  }
  return digest.end().slice(0, 32);
}

/** Digests modules, the names of the files beside them, their packages, and what they read of the environment. */
export function digestModules(modules: readonly string[]): string {
  const digest = new InputDigest();
  const beside = new Set<string>();
  for (const file of modules) {
    digest.read(file, digestOf(file) !== "" && readFileSync(file).includes("import.meta.env"));
    const isOfPackage = /[\\/]node_modules[\\/]/.test(file);
    beside.add(isOfPackage ? (findPackageJSON(pathToFileURL(file)) ?? "") : dirname(file));
  }
  for (const path of beside) {
    if (isFolder(path)) digest.add(`${path}\0${readdirSync(path).sort().join("\0")}`);
    else digest.read(path);
  }
  return digest.end();
}

class InputDigest {
  readonly #digest = createHash("sha256");
  readonly #words = new Set<string>();
  /** Whether a file reads the environment as a whole. */
  #isWhole = false;

  add(text: string): void {
    this.#digest.update(text).update("\0");
  }

  /** @param readsEnvironment whether variables that the file names count too */
  read(file: string, readsEnvironment = false): void {
    this.add(file);
    this.add(digestOf(file));
    if (!readsEnvironment) return;
    const text = readFileSync(file, "utf8");
    for (const [word] of text.matchAll(/\w+/g)) this.#words.add(word);
    this.#isWhole ||= /\bimport\.meta\.env\b(?!\s*\??\.\s*\w|\[["'])/.test(text);
  }

  end(): string {
    const names = Object.keys(process.env).filter(
      (name) => this.#isWhole || this.#words.has(name) || OF_TOOL.test(name),
    );
    this.add(JSON.stringify(names.sort().map((name) => [name, process.env[name]])));
    return this.#digest.digest("hex");
  }
}

/** A configuration as text, and the files that it names. Functions count by their code. */
function serialize(config: AstroConfig, root: string) {
  const files: string[] = [];
  const shown = {
    ...config,
    integrations: config.integrations.map(({ name }) => name),
    vite: { ...config.vite, plugins: pluginsOf(config.vite.plugins).map(({ name }) => name) },
  };
  const text = JSON.stringify(shown, (_, value: unknown) => {
    if (typeof value === "function" || value instanceof RegExp) return String(value);
    if (value instanceof Set || value instanceof Map) return [...(value as Iterable<unknown>)];
    if (typeof value === "string" && /^(?:file:|\.{0,2}[\\/]|[A-Z]:)/i.test(value)) {
      const path = value.startsWith("file:") ? fileURLToPath(value) : value;
      const file = isAbsolute(path) ? path : resolve(root, path);
      if (isFile(file)) files.push(file);
    }
    return value;
  });
  return { text, files };
}

function pluginsOf(plugins: unknown): { readonly name?: string }[] {
  return [plugins].flat(9).filter(Boolean) as { readonly name?: string }[];
}

/** Folders whose place does not change a bundle, by a name that stands for each. */
export function folderNames(config: AstroConfig, stateDir: string): readonly [string, string][] {
  return [
    [fileURLToPath(config.outDir), "@out@"],
    [fileURLToPath(config.cacheDir), "@cache@"],
    [join(stateDir, "/"), "@state@"],
  ].flatMap(([path = "", name]): [string, string][] => [
    [pathToFileURL(path).href, `file:///${name}/`],
    [path, `/${name}/`],
  ]);
}

/** Replaces each folder by its name, or back. */
export function movable(text: string, names: readonly (readonly [string, string])[]): string {
  return names.reduce((moved, [from, to]) => moved.replaceAll(from, to), text);
}

/** The `node_modules` folder in which a module finds Astro; null for none. */
export function packagesOf(module: string): string | null {
  try {
    return dirname(dirname(createRequire(module).resolve("astro/package.json")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return null;
    throw error;
  }
}

/** Empty for a file that is missing. */
const digestOf = (file: string): string => (isFile(file) ? hash("sha256", readFileSync(file)) : "");

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
