/**
 * The part of Vite's build that worker threads need: adds their module to the bundle of the pages, and digests what was
 * written, so that the same digest means the same code, JSON, style sheets and `import.meta.env`.
 */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { ASSET, FONT_SERVER, NO_MIDDLEWARE } from "./astro-internals.ts";

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));
const WORKER_FILE = "render-worker.mjs";
/** Distinguishes a build from another in the same folder at the same time. */
const BUILD_FILE = "build-id";
const MEMO = "virtual:commonplace/memo";
const NO_MEMO = "export const component = null, entries = () => [], use = () => {};";

export type Bundle = ReturnType<typeof watchBundle>;

/** @param memo file of the module of memoised components */
export function watchBundle(memo: string | null) {
  /** Modules of the pages, and files of the client, by name. */
  const contents = new Map<string, string | Uint8Array>();
  const build = randomUUID();
  const bundle = {
    /** The module that a worker thread runs. */
    worker: "",
    /** Whether something may act on the request of a page. */
    hasMiddleware: true,

    /**
     * Digest of everything that was written. Forgets it, so that the memory is free before the threads start: call it once.
     *
     * @param root folder of the project, which is no part of it: several machines may build one site
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

    /** @throws when another build wrote to the folder of this one's bundle */
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
            // By its modules: a chunk's name changes with every chunk that it imports, and so with the port of Astro's server
            // of font files.
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
 * Lets the bundle find the packages that it imports by name, where the output folder is outside of the project.
 *
 * No link is made where they are found without one: a process that may write to its own folders alone may make none.
 */
function linkPackages(worker: string, root: string): void {
  const packages = packagesOf(join(root, "package.json"));
  if (packages === null || packagesOf(worker) === packages) return;
  const link = join(dirname(worker), "node_modules");
  rmSync(link, { force: true });
  symlinkSync(packages, link, "junction");
}

/** The folder of packages that a module finds; null where it finds none. */
function packagesOf(module: string): string | null {
  try {
    return dirname(dirname(createRequire(module).resolve("astro/package.json")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return null;
    throw error;
  }
}
