/** Cards that the renderer memoised. */
import { href, listingPath, type CardData } from "../../site/index.ts";

type FindCard = (quoteId: number) => Uint8Array | undefined;

let find: FindCard = () => undefined;

/** Called in each thread of the renderer; elsewhere no cards are memoised. */
export function keepCards(findCard: FindCard): void {
  find = findCard;
}

/**
 * The card's markup in UTF-8, which Astro writes unchanged; undefined if it is not memoised.
 *
 * @param ownTag slug of the tag that the page is about, which `Notes.astro` gives the class `own`
 */
export function keptCard(
  { id }: CardData,
  ownTag?: string,
): Uint8Array | readonly Uint8Array[] | undefined {
  const bytes = find(id);
  if (bytes === undefined || ownTag === undefined) return bytes;
  const markup = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const link = markup.indexOf(`href="${href(listingPath("tag", ownTag))}"`);
  const at = link < 0 ? -1 : markup.lastIndexOf(TAG, link);
  // A theme may show no tags.
  if (at < 0) return bytes;
  const end = at + TAG.length - 1;
  return [bytes.subarray(0, end), OWN, bytes.subarray(end)];
}

const TAG = 'class="tag"';
const OWN = new TextEncoder().encode(" own");
