/** `node stage.ts ORIGIN STATE ROOT FOLDER…`: makes the thumbnails of the pictures in these folders, with the cache of STATE. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { makeThumbnails } from "../../../src/images/thumbnails.ts";

const [, , origin = "", state = ".", root = ".", ...folders] = process.argv;
const addresses = folders.flatMap((folder) =>
  readdirSync(join(root, folder)).map((file) => `${origin}/${folder}/${file}`),
);
const report = await makeThumbnails(addresses, {
  cacheDir: `${state}/thumbnails`,
  outDir: `${state}/dist/_pictures`,
  policy: "fail",
  ownOrigin: origin,
});
console.log(JSON.stringify(report));
