/** A process that runs the stage once over folders of the host, from a cache that may be there already. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { makeThumbnails } from "../../../src/images/thumbnails.ts";

const [, , origin = "", state = ".", root = ".", ...folders] = process.argv;
const addresses = folders.flatMap((folder) =>
  readdirSync(join(root, folder)).map((file) => `${origin}/${folder}/${file}`),
);
const started = performance.now();
const report = await makeThumbnails(addresses, {
  cacheDir: `${state}/thumbnails`,
  outDir: `${state}/dist/_pictures`,
  policy: "fail",
  ownOrigin: origin,
});
process.send?.({ wallMs: performance.now() - started, report });
process.disconnect?.();
