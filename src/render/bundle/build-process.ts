/**
 * A process of its own for Astro's build: it takes 300 MB that the rendering process would otherwise never give back.
 *
 * Arguments: root, folder for the bundle, folder for the assets. The environment is what the pages may know.
 */
import { build } from "astro";
import { keepBundle } from "./integration.ts";

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
