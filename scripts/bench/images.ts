/**
 * `npm run bench -- images`: thumbnails against a bare loop of sharp, the same again from the cache, and Open Graph images.
 *
 * `REAL_IMAGES` names a folder of other pictures.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { installFonts } from "../../src/images/og/install-fonts.ts";
import type { PictureReport } from "../../src/images/thumbnails.ts";
import { writePictures } from "./images/pictures.ts";
import { measure, type Measured } from "./measure.ts";
import { printTable, type Row } from "./table.ts";
import { makeFolder } from "./workspace.ts";

const SCRIPTS = join(import.meta.dirname, "images");
/** The bare loop and the stage take turns, each with a quarter of the pictures. */
const QUARTERS = ["a", "b", "c", "d"];

export async function benchImages(count: number): Promise<void> {
  using folder = makeFolder();
  const pictures = join(folder.path, "pictures");
  const folders = QUARTERS.map((quarter) => join(pictures, quarter));
  const bytes = await writePictures(folders, count);
  await using host = serve(pictures);
  await once(host, "listening");
  const { port } = host.address() as AddressInfo;
  const thumbnails = (...quarters: string[]): Promise<Measured<PictureReport>> =>
    measure(join(SCRIPTS, "stage.ts"), [
      ...[`http://127.0.0.1:${port}`, folder.path, pictures, ...quarters],
    ]);
  const rounds: Row[][] = [];
  for (const quarter of QUARTERS) {
    const floor = await measure(join(SCRIPTS, "bare.ts"), [join(pictures, quarter)]);
    rounds.push([
      { what: "bare loop of sharp", run: floor },
      { what: "thumbnails", run: await thumbnails(quarter), floor },
    ]);
  }
  printTable(`A quarter of ${count} pictures, ${(bytes / 1e6).toFixed(0)} MB`, rounds);
  const run = await thumbnails(...QUARTERS);
  const { made, bytesFetched, bytesSaved } = run.result;
  const mean = Math.round((bytes - bytesSaved) / count);
  const note = `made ${made}, fetched ${bytesFetched} bytes; AVIF at 1×: ${mean} bytes, mean`;
  printTable("All pictures again", [[{ what: "thumbnails", run, note }]]);
  const { result } = await measure(join(SCRIPTS, "og-images.ts"), [], {
    env: { FONTCONFIG_FILE: (await installFonts(join(folder.path, "fonts"))).settings },
  });
  console.log("\nOpen Graph images, milliseconds of CPU by language");
  console.table(result);
}

/** Serves files with an ETag each. */
function serve(folder: string) {
  const server = createServer((request, response) => {
    const etag = `"${request.url}"`;
    const unchanged = request.headers["if-none-match"] === etag;
    response.writeHead(unchanged ? 304 : 200, { etag });
    response.end(unchanged ? undefined : readFileSync(join(folder, request.url ?? "")));
  });
  return server.listen(0, "127.0.0.1");
}
