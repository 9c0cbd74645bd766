/** A process that does with sharp what the stage does with it, and nothing else: one loop a core over the files. */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { encodePicture } from "../../../src/images/encode.ts";
import { blockOtherDecoders } from "../../../src/images/encode.ts";
import { eachOf } from "../../../src/contract/work.ts";

const folder = process.argv[2] ?? ".";
blockOtherDecoders();
const started = performance.now();
await eachOf(readdirSync(folder), availableParallelism(), async (file) => {
  await encodePicture(await readFile(join(folder, file)));
});
process.send?.({ wallMs: performance.now() - started });
process.disconnect?.();
