/**
 * What a record may leave out: likes, whether it is curated, and a picture. All follow from its words by a hash, so
 * that the same file gives the same collection each time.
 */
import { fraction, hash32 } from "../../contract/hash.ts";
import { tilePath, TILES } from "../media/tiles.ts";

/** Likes as such services show them: most quotes have few, a handful tens of thousands. */
export function derivedLikes(text: string): number {
  return Math.floor(10 ** (fraction(`likes ${text}`) ** 2 * 4.6)) - 1;
}

/** One quote in six, about the share that such a service's curated list has. */
export function derivedCurated(text: string): boolean {
  return hash32(`curated ${text}`) % 6 === 0;
}

/** Nearly always null: one quote in 256 gets one of the service's own pictures. */
export function derivedImage(text: string): string | null {
  const hash = hash32(`image ${text}`);
  return hash % 256 === 0 ? tilePath((hash >>> 8) % TILES) : null;
}
