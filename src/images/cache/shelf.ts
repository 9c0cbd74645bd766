/**
 * The cache of thumbnails: files and the index over them, kept in step.
 *
 * A picture counts as held only while all its files are there: anybody may empty a cache.
 */
import { join } from "node:path";
import type { EncodedPicture } from "../encode/encode.ts";
import { RECIPE } from "../encode/recipe.ts";
import { openDisposable } from "./disposable.ts";
import { FileStore } from "./files.ts";
import { type PictureFile, PictureIndex, type StoredPicture } from "./picture-index.ts";

/** A new shape of the tables is a new file. */
const INDEX = "index-1.sqlite";

export function indexPath(cacheDir: string): string {
  return join(cacheDir, INDEX);
}

export class Shelf {
  readonly index: PictureIndex;
  readonly files: FileStore;

  constructor(cacheDir: string) {
    this.index = openDisposable(indexPath(cacheDir), (path) => new PictureIndex(path));
    this.files = new FileStore(join(cacheDir, "files"));
  }

  /** A picture with all its files; null when it is unknown or a file is missing. */
  async held(id: string): Promise<StoredPicture | null> {
    const picture = this.index.picture(id);
    if (picture === null) return null;
    for (const file of picture.files) if (!(await this.files.has(file))) return null;
    return picture;
  }

  async put(id: string, originalBytes: number, encoded: EncodedPicture): Promise<StoredPicture> {
    const files: PictureFile[] = [];
    for (const { type, density, width, height, bytes } of encoded.variants) {
      const stored = await this.files.put(bytes, type.slice("image/".length));
      files.push({ ...stored, type, density, width, height });
    }
    const { width, height, colour } = encoded;
    const picture = { id, recipe: RECIPE, width, height, colour, originalBytes, files };
    this.index.savePicture(picture);
    return picture;
  }

  /** Forgets what no run has met since a moment, with its files. */
  async collect(seenBefore: number): Promise<void> {
    this.index.forgetBefore(seenBefore);
    const wanted = new Set<string>();
    for (const { files } of this.index.pictures()) for (const { name } of files) wanted.add(name);
    await this.files.keepOnly(wanted);
  }

  close(): void {
    this.index.close();
  }
}
