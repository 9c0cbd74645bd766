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
import { FONT_SERVER, NO_MIDDLEWARE } from "./astro-internals.ts";

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));
const WORKER_FILE = "render-worker.mjs";
/** Distinguishes a build from another in the same folder at the same time. */
const BUILD_FILE = "build-id";
const MEMO = "virtual:commonplace/memo";

/** A file of a bundle, as Rollup hands it to plugins. */
type BundleFile =
  | {
      readonly type: "chunk";
      readonly code: string;
      readonly modules: Readonly<Record<string, { readonly code: string | null }>>;
    }
  | { readonly type: "asset"; readonly source: string | Uint8Array };

export class Bundle {
  /** Modules of the pages, and files of the client, by name. */
  readonly #contents = new Map<string, string | Uint8Array>();
  readonly #build = randomUUID();
  readonly #memo: string | null;
  #folder = "";
  #hasMiddleware = true;

  /** @param memo file of the module of memoised components */
  constructor(memo: string | null) {
    this.#memo = memo;
  }

  /** The module that a worker thread runs. */
  get worker(): string {
    return join(this.#folder, WORKER_FILE);
  }

  /** Whether something may act on the request of a page. */
  get hasMiddleware(): boolean {
    return this.#hasMiddleware;
  }

  /**
   * Digest of everything that was written. Forgets it, so that the memory is free before the threads start: call it once.
   *
   * @param root folder of the project, which is no part of it: several machines may build one site
   */
  digest(root: string): string {
    const digest = createHash("sha256");
    const without = (text: string): string => text.replaceAll(root, "");
    for (const name of [...this.#contents.keys()].sort()) {
      const content = this.#contents.get(name) ?? "";
      digest.update(`\0${without(name)}\0`);
      digest.update(typeof content === "string" ? without(content) : content);
    }
    this.#contents.clear();
    return digest.digest("hex");
  }

  /** @throws when another build wrote to the folder of this one's bundle */
  check(): void {
    const path = join(this.#folder, BUILD_FILE);
    if (existsSync(path) && readFileSync(path, "utf8") === this.#build) return;
    throw new Error(
      `Cannot render from ${this.#folder}: another build writes there; let it end, and start again`,
    );
  }

  plugin(): Plugin {
    const build = this.#build;
    const onWritten = (
      { name, config }: { readonly name: string; readonly config: { readonly root: string } },
      folder: string,
      modules: Iterable<string>,
      files: object,
    ): void => {
      const isOfPages = name === "prerender";
      for (const [file, content] of Object.entries(files as Record<string, BundleFile>)) {
        if (content.type === "chunk" && isOfPages) this.#addModules(content.modules);
        else if (file !== BUILD_FILE && !file.startsWith(".vite/")) {
          this.#contents.set(file, content.type === "chunk" ? content.code : content.source);
        }
      }
      if (!isOfPages) return;
      this.#folder = folder;
      this.#hasMiddleware = ![...modules].includes(NO_MIDDLEWARE);
      this.#linkPackages(config.root);
    };
    return {
      name: "commonplace:bundle",
      enforce: "post",
      resolveId: (id) => (id === MEMO ? (this.#memo ?? `\0${MEMO}`) : null),
      load: (id) => (id === `\0${MEMO}` ? "export {}" : null),
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
      writeBundle(options, files) {
        onWritten(this.environment, options.dir ?? "", this.getModuleIds(), files);
      },
    };
  }

  /**
   * Takes a chunk by its modules: a chunk's name changes with every chunk that it imports, and so with the port that
   * Astro's server of font files gets.
   */
  #addModules(modules: Readonly<Record<string, { readonly code: string | null }>>): void {
    for (const [id, { code }] of Object.entries(modules)) {
      if (id !== FONT_SERVER) this.#contents.set(id, code ?? "");
    }
  }

  /**
   * Lets the bundle find the packages that it imports by name, where the output folder is outside of the project.
   *
   * No link is made where they are found without one: a process that may write to its own folders alone may make none.
   */
  #linkPackages(root: string): void {
    const packages = packagesOf(join(root, "package.json"));
    if (packages === null || packagesOf(this.worker) === packages) return;
    const link = join(this.#folder, "node_modules");
    rmSync(link, { force: true });
    symlinkSync(packages, link, "junction");
  }
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
