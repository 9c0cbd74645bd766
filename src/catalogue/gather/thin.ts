/**
 * Leaves tags out that have too few quotes for a listing of their own, where the site's settings ask for it.
 *
 * The quotes keep such a tag as a word on their cards, so a card's digest has it too.
 */
import { digest, DIGEST_BYTES } from "../digests.ts";
import type { Gathered } from "./columns.ts";
import type { Term } from "../../contract/term.ts";

export interface Thinned {
  readonly gathered: Gathered;
  /** The tags that have a listing. */
  readonly tags: readonly Term[];
}

/**
 * @param tags of all names that were gathered
 * @param least quotes that a tag must have, counted under each of its spellings; 1 leaves none out
 */
export function leaveOutThin(gathered: Gathered, tags: readonly Term[], least: number): Thinned {
  const thin = least <= 1 ? [] : tags.filter((tag) => quotesOf(tag) < least);
  if (thin.length === 0) return { gathered, tags };
  const wordOf = new Map<number, string>();
  for (const { name } of thin.flatMap(({ spellings }) => spellings)) {
    wordOf.set(gathered.names.tag.numberOf(name), name ?? "");
  }
  const kept = new Uint32Array(gathered.tags.length);
  const tagStart = new Uint32Array(gathered.quotes + 1);
  let filled = 0;
  for (let place = 0; place < gathered.quotes; place++) {
    const words: string[] = [];
    const own = gathered.tags.subarray(gathered.tagStart[place], gathered.tagStart[place + 1]);
    for (const tag of own) {
      const word = wordOf.get(tag);
      if (word === undefined) kept[filled++] = tag;
      else words.push(word);
    }
    tagStart[place + 1] = filled;
    if (words.length > 0) showWords(gathered, place, words);
  }
  const listed = new Set(thin);
  return {
    gathered: { ...gathered, tagStart, tags: kept.subarray(0, filled) },
    tags: tags.filter((tag) => !listed.has(tag)),
  };
}

function quotesOf({ spellings }: Term): number {
  return spellings.reduce((sum, { quotes }) => sum + quotes, 0);
}

function showWords({ words: digests }: Gathered, place: number, words: readonly string[]): void {
  const before = Buffer.alloc(DIGEST_BYTES);
  digests.copy(place, before, 0);
  // No name holds a control character, so the separator cannot be part of one.
  digests.set(place, digest(`${before.toString("latin1")}\0${words.join("\0")}`));
}
