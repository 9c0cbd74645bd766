/**
 * A process of its own for Astro's build: it takes 300 MB that the rendering process would otherwise never give back.
 *
 * Arguments: root, folder for the bundle, folder for the assets. The environment is what the pages may know.
 */
import { enableCompileCache } from "node:module";

// Before Astro and Vite are imported: reading their megabytes of code anew takes a quarter of the build of a small site.
enableCompileCache();
const { build } = await import("astro");
const { keepBundle } = await import("./integration.ts");

const [root, server, client] = process.argv.slice(2);
if (root === undefined || server === undefined || client === undefined) {
  throw new Error("Cannot build: expected root, server and client folders");
}

// Types for editors are `npm run check`'s business: making them costs a third of the build.
const withoutTypes = { sync: false };

await build(
  { root, outDir: client, logLevel: "error", integrations: [keepBundle(server)] },
  withoutTypes as Parameters<typeof build>[1],
);
