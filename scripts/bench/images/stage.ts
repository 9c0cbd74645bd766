/** A process that runs the stage once, from a cache that may be there already. */
import { makeThumbnails } from "../../../src/thumbnails/make-thumbnails.ts";

const [, , origin = "", count = "0", state = "."] = process.argv;
const addresses = Array.from({ length: Number(count) }, (_, at) => `${origin}/${at}.bin`);
const started = performance.now();
const report = await makeThumbnails(addresses, {
  cacheDir: `${state}/thumbnails`,
  outDir: `${state}/dist/_pictures`,
  policy: "fail",
  ownOrigin: origin,
});
process.send?.({ wallMs: performance.now() - started, report });
process.disconnect();
