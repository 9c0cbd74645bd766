/** `node bare.ts FOLDER`: encodes pictures as the stage does, and nothing else; one loop for each core. */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { eachOf } from "../../../src/util/work.ts";
import { blockOtherDecoders, encodePicture } from "../../../src/images/encode.ts";

const folder = process.argv[2] ?? ".";
blockOtherDecoders();
await eachOf(readdirSync(folder), availableParallelism(), async (file) => {
  await encodePicture(await readFile(join(folder, file)));
});
