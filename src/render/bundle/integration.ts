/**
 * Makes Astro stop where the pages are bundled: adds our threads' module to the bundle, keeps it, and lists no page to render.
 *
 * Astro deletes its bundle when it is done; the prerenderer's `setup` is the last moment it is whole on disk.
 */
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import type { Plugin } from "vite";

const THREAD = fileURLToPath(new URL("../work/gate.ts", import.meta.url));
const RESTORE_THREAD = fileURLToPath(new URL("../recipes/restore-thread.ts", import.meta.url));
const FRAGMENT = fileURLToPath(new URL("../inside/fragment.ts", import.meta.url));

/** What the bundle calls them. */
export const THREAD_FILE = "thread.mjs";
export const RESTORE_THREAD_FILE = "restore-thread.mjs";

const THREADS = [
  [THREAD, THREAD_FILE],
  [RESTORE_THREAD, RESTORE_THREAD_FILE],
] as const;

/** Packages of a hundred files, of which little is used: each thread would read them all when it starts. */
const BUNDLED = ["zod"];

/** @param keepIn folder that the bundle becomes; on the file system of Astro's output, and not there yet */
export function keepBundle(keepIn: string): AstroIntegration {
  let bundleDir: string | undefined;
  const plugin: Plugin = {
    name: "commonplace:thread",
    enforce: "post",
    applyToEnvironment: (environment) => environment.name === "prerender",
    buildStart() {
      for (const [id, fileName] of THREADS) {
        this.emitFile({ type: "chunk", id, fileName, preserveSignature: "strict" });
      }
    },
    transform: {
      filter: { id: /\.astro$/ },
      handler(code, id) {
        return wrapFragment(code, id, this.environment.config.root);
      },
    },
    writeBundle(options) {
      bundleDir = options.dir;
    },
  };
  return {
    name: "commonplace:keep-bundle",
    hooks: {
      "astro:config:setup": ({ updateConfig }) => {
        const environments = { prerender: { resolve: { noExternal: BUNDLED } } };
        updateConfig({ vite: { plugins: [plugin], environments } });
      },
      "astro:build:start": ({ setPrerenderer }) => {
        setPrerenderer({
          name: "commonplace:keep-bundle",
          setup: async () => {
            if (bundleDir === undefined)
              throw new Error("Cannot keep the bundle: Astro wrote none");
            await rename(bundleDir, keepIn);
          },
          getStaticPaths: () => Promise.resolve([]),
          render: () => Promise.reject(new Error("Cannot render here: only the bundle is made")),
        });
      },
    },
  };
}

/**
 * Hands a compiled component to `fragment()` when a file of its name stands beside it: `Card.fragment.ts` by `Card.astro`
 * exports `fragmentKey`, which names everything of the component's props that shows, and may export `everyFragment`.
 *
 * @throws when the compiler's output has no default export of the known shape
 */
function wrapFragment(code: string, id: string, root: string): string | null {
  const beside = id.replace(/\.astro$/, ".fragment.ts");
  if (!existsSync(beside)) return null;
  const exported = /^export default (\$\$[\w$]+);?$/m;
  if (!exported.test(code)) {
    throw new Error(`Cannot keep what ${id} renders: its default export was not found`);
  }
  const name = JSON.stringify(relative(root, id).split(sep).join("/"));
  return [
    code.replace(exported, `export default __fragment($1, __beside, ${name});`),
    `import { fragment as __fragment } from ${JSON.stringify(FRAGMENT)};`,
    `import * as __beside from ${JSON.stringify(beside)};`,
  ].join("\n");
}
