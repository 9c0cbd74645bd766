/** The pictures of the benchmark: copies of those in `REAL_IMAGES`, or of the embedded collection. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodePicture } from "../../../src/images/encode.ts";
import { PictureFailed } from "../../../src/images/failures.ts";

const FOLDER =
  process.env["REAL_IMAGES"] ??
  fileURLToPath(new URL("../../../src/service/media", import.meta.url));

/**
 * Writes an equal share of the copies into each folder. Copies of a picture differ in their last bytes.
 *
 * @returns the bytes of all copies
 */
export async function writePictures(folders: readonly string[], count: number): Promise<number> {
  const originals = await usable();
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  let bytes = 0;
  for (let at = 0; at < count; at++) {
    const folder = folders[Math.floor((at * folders.length) / count)] ?? ".";
    const original = originals[at % originals.length] ?? Buffer.alloc(0);
    // A `free` box may follow the end of an AVIF file; decoders of other formats ignore bytes after the end.
    const tail = Buffer.alloc(16);
    tail.writeUInt32BE(16, 0);
    tail.write("free", 4);
    tail.writeUInt32BE(at, 12);
    writeFileSync(join(folder, `${at}.bin`), Buffer.concat([original, tail]));
    bytes += original.length + tail.length;
  }
  return bytes;
}

async function usable(): Promise<Buffer[]> {
  const found: Buffer[] = [];
  for (const name of readdirSync(FOLDER).filter((file) => !file.endsWith(".json"))) {
    const bytes = readFileSync(join(FOLDER, name));
    try {
      await encodePicture(bytes);
      found.push(bytes);
    } catch (error) {
      if (!(error instanceof PictureFailed)) throw error;
    }
  }
  return found;
}
