/**
 * Adds the module of the worker threads to Vite's bundle of the pages, and digests the bundle: an equal digest means equal
 * code, JSON, style sheets and `import.meta.env`.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  cpSync,
  existsSync,
  lstatSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroConfig } from "astro";
import type { Plugin, ViteBuilder } from "vite";
import { DiskError } from "../contract/errors.ts";
import { filesBelow } from "../files/walk.ts";
import {
  ASSET,
  bundleState,
  FONT_SERVER,
  NO_MIDDLEWARE,
  skipBundling,
  type BuildApp,
  type BundleState,
  type PagesData,
} from "./astro/index.ts";
import {
  digestInputs,
  digestModules,
  folderNames,
  packagesOf,
  type BundleInputs,
} from "./bundle-inputs.ts";
import { KeptBundle } from "./kept-bundle.ts";

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));
const WORKER_FILE = "render-worker.mjs";
/** Detects another build that writes to the same folder at the same time. */
const BUILD_FILE = "build-id";
/** The module with Astro's app has this name and a digest. */
const ENTRY = "prerender-entry.";
/** Begins a source map inside of a module. */
const SOURCE_MAP = "//# sourceMappingURL=data:";
const MEMO = "virtual:commonplace/memo";
const NO_MEMO = "export const component = null, entries = () => [], use = () => {};";

export type Bundle = ReturnType<typeof watchBundle>;

/** @param memo file of a `MemoModule` */
export function watchBundle(memo: string | null) {
  /** Modules of the pages, and files for the browser, by name. */
  const contents = new Map<string, string | Uint8Array>();
  /** Files of all modules. */
  const modules = new Set<string>();
  const build = randomUUID();
  /** Saves the bundle; undefined if it is not to be kept. */
  let save: (() => void) | undefined;
  let digested = "";
  /** Its port differs in every build, and is in the code. */
  let usesFontServer = false;
  const bundle = {
    /** File of the threads' module. */
    worker: "",
    /** Name of the module with Astro's app. */
    entry: "",
    hasMiddleware: true,
    /** Whether the bundle of an earlier build is used. */
    isKept: false,

    /**
     * Bundles the pages, unless an earlier build kept a bundle with the same inputs.
     *
     * @param buildApp Astro's own
     * @param parent folder of kept bundles; null to keep none
     */
    async make(
      [builder, buildApp, pages]: readonly [ViteBuilder, BuildApp, PagesData],
      inputs: BundleInputs,
      parent: string | null,
    ): Promise<void> {
      const { config, stateDir } = inputs;
      const outDir = fileURLToPath(config.outDir);
      const key = parent === null ? null : digestInputs(inputs);
      const kept =
        parent === null || key === null
          ? null
          : new KeptBundle(parent, key, folderNames(config, stateDir));
      const { root = "", build: of } = builder.environments["prerender"]?.config ?? {};
      const folder = resolve(root, of?.outDir ?? "");
      const record = kept?.restore(folder, outDir) ?? null;
      if (kept === null || record === null) {
        const earlier = assetTimes(config);
        await buildApp(builder);
        const state = bundleState(bundle.entry, pages);
        if (kept !== null && !usesFontServer) save = () => keep(kept, state, earlier, config);
        return;
      }
      await skipBundling([builder, buildApp, pages], record.state);
      const { publicDir } = config;
      if (existsSync(publicDir))
        cpSync(publicDir, config.outDir, { recursive: true, dereference: true });
      writeFileSync(join(folder, BUILD_FILE), build);
      Object.assign(bundle, {
        isKept: true,
        hasMiddleware: record.hasMiddleware,
        worker: join(folder, WORKER_FILE),
      });
      digested = record.digest;
      linkPackages(bundle.worker, root);
    },

    /** Keeps the bundle for the next build. */
    save(): void {
      save?.();
    },

    /**
     * Digests the bundle, and frees its memory before the threads start.
     *
     * @param root folder of the project; it does not affect the digest, since several machines may build one site
     */
    digest(root: string): string {
      if (digested !== "") return digested;
      const digest = createHash("sha256");
      const without = (text: string): string => text.replaceAll(root, "");
      for (const [name, content] of [...contents].sort(([a], [b]) => (a < b ? -1 : 1))) {
        digest.update(`\0${without(name)}\0`);
        digest.update(typeof content === "string" ? without(content) : content);
      }
      contents.clear();
      return (digested = digest.digest("hex"));
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
        for (const id of this.getModuleIds()) {
          const file = id.replace(/\?.*$/s, "");
          if (isAbsolute(file) && existsSync(file)) modules.add(file);
        }
        for (const [file, content] of Object.entries(files)) {
          if (content.type === "chunk" && isOfPages) {
            if (file.startsWith(ENTRY)) bundle.entry = file;
            usesFontServer ||= content.code.includes("function getFontFileURL");
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

  function keep(
    kept: KeptBundle,
    state: BundleState,
    earlier: ReadonlyMap<string, number>,
    config: AstroConfig,
  ): void {
    const folder = dirname(bundle.worker);
    const outDir = fileURLToPath(config.outDir);
    const isOfBundle = (file: string): boolean => file !== BUILD_FILE && !file.startsWith(".vite/");
    const files = [...filesBelow(folder)].filter(isOfBundle);
    const assets = Array.from(assetTimes(config))
      .filter(([file, writtenMs]) => earlier.get(file) !== writtenMs)
      .map(([file]) => file);
    const hasMaps = files.some((file) => readFileSync(join(folder, file)).includes(SOURCE_MAP));
    const record = {
      ...{ digest: digested, hasMiddleware: bundle.hasMiddleware, state },
      ...{ modules: [...modules], inputs: digestModules([...modules]) },
      outDir: hasMaps ? outDir : null,
    };
    kept.save(record, [folder, files], [outDir, assets]);
  }
}

/** When each asset in the output folder was written. Bundling writes its assets, and leaves those of earlier builds. */
function assetTimes({ outDir, build: { assets } }: AstroConfig): Map<string, number> {
  const folder = join(fileURLToPath(outDir), assets);
  const files = existsSync(folder) ? [...filesBelow(folder)] : [];
  return new Map(files.map((file) => [`${assets}/${file}`, lstatSync(join(folder, file)).ctimeMs]));
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
