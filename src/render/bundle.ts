/**
 * Adds the module of the worker threads to Vite's bundle of the pages, and digests the bundle: an equal digest means equal
 * code, JSON, style sheets and `import.meta.env`.
 */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { DiskError } from "../contract/errors.ts";
import { ASSET, FONT_SERVER, NO_MIDDLEWARE } from "./astro-internals.ts";

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));
const WORKER_FILE = "render-worker.mjs";
/** Detects another build that writes to the same folder at the same time. */
const BUILD_FILE = "build-id";
const MEMO = "virtual:commonplace/memo";
const NO_MEMO = "export const component = null, entries = () => [], use = () => {};";

export type Bundle = ReturnType<typeof watchBundle>;

/** @param memo file of a `MemoModule` */
export function watchBundle(memo: string | null) {
  /** Modules of the pages, and files for the browser, by name. */
  const contents = new Map<string, string | Uint8Array>();
  const build = randomUUID();
  const bundle = {
    /** File of the threads' module. */
    worker: "",
    hasMiddleware: true,

    /**
     * Digests the bundle, and frees its memory before the threads start: call it once.
     *
     * @param root folder of the project; it does not affect the digest, since several machines may build one site
     */
    digest(root: string): string {
      const digest = createHash("sha256");
      const without = (text: string): string => text.replaceAll(root, "");
      for (const [name, content] of [...contents].sort(([a], [b]) => (a < b ? -1 : 1))) {
        digest.update(`\0${without(name)}\0`);
        digest.update(typeof content === "string" ? without(content) : content);
      }
      contents.clear();
      return digest.digest("hex");
    },

    /** @throws when another build wrote to the folder of the bundle */
    check(): void {
      const folder = dirname(bundle.worker);
      const path = join(folder, BUILD_FILE);
      if (existsSync(path) && readFileSync(path, "utf8") === build) return;
      throw new Error(
        `Cannot render from ${folder}: another build writes there; let it end, and start again`,
      );
    },

    plugin: {
      name: "commonplace:bundle",
      enforce: "post",
      resolveId: (id) => (id === MEMO ? (memo ?? `\0${MEMO}`) : null),
      load: (id) => (id === `\0${MEMO}` ? NO_MEMO : null),
      buildStart() {
        if (this.environment.name !== "prerender") return;
        this.emitFile({
          type: "chunk",
          id: WORKER,
          fileName: WORKER_FILE,
          preserveSignature: "strict",
        });
        this.emitFile({ type: "asset", fileName: BUILD_FILE, source: build });
      },
      writeBundle({ dir = "" }, files) {
        const isOfPages = this.environment.name === "prerender";
        const named = (_: string, asset: string): string => this.getFileName(asset);
        for (const [file, content] of Object.entries(files)) {
          if (content.type === "chunk" && isOfPages) {
            // By modules: names of chunks depend on the chunks that they import, and so on the port of the font server.
            for (const [id, { code }] of Object.entries(content.modules)) {
              if (id !== FONT_SERVER) contents.set(id, (code ?? "").replace(ASSET, named));
            }
          } else if (file !== BUILD_FILE && !file.startsWith(".vite/")) {
            contents.set(file, content.type === "chunk" ? content.code : content.source);
          }
        }
        if (!isOfPages) return;
        bundle.worker = join(dir, WORKER_FILE);
        bundle.hasMiddleware = ![...this.getModuleIds()].includes(NO_MIDDLEWARE);
        linkPackages(bundle.worker, this.environment.config.root);
      },
    } satisfies Plugin,
  };
  return bundle;
}

/**
 * Links the project's packages for a bundle in an output folder outside of the project.
 *
 * Not if the bundle finds them anyway: a process with restricted permissions must not create links.
 */
function linkPackages(worker: string, root: string): void {
  const packages = packagesOf(join(root, "package.json"));
  const found = packagesOf(worker);
  // On Windows and macOS one folder has several spellings.
  if (packages === null || (found !== null && relative(found, packages) === "")) return;
  const link = join(dirname(worker), "node_modules");
  try {
    rmSync(link, { force: true });
    symlinkSync(packages, link, "junction");
  } catch (cause) {
    const { code = "failed" } = cause as NodeJS.ErrnoException;
    const advice = "name an --out in the project's folder, or on a disk that has links";
    throw new DiskError(`Cannot link ${packages} at ${link}: ${code}; ${advice}`, { cause });
  }
}

/** The `node_modules` folder in which a module finds Astro; null for none. */
function packagesOf(module: string): string | null {
  try {
    return dirname(dirname(createRequire(module).resolve("astro/package.json")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return null;
    throw error;
  }
}
