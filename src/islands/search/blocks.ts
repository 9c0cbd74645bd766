/** The blocks of quotes that an answer of the index names, and what is in them. */
import { blockFile, spotOf, type IndexedBlock, type Spot } from "../../contract/search-index.ts";
import type { RecordHandle } from "./pagefind.ts";

/** Where the quotes of a block are to be had. */
export interface BlockHandle {
  /** Below the folder of the index. */
  readonly file: string;
  /** How many of the words stand in it: as a whole name, in a name, and wherever. */
  readonly whole: number;
  readonly names: number;
  readonly words: number;
}

/** A quote of the index, with the path it stands at. */
export interface FoundQuote {
  readonly path: string;
  readonly text: string;
  readonly author: string | null;
  readonly language: string;
  readonly tags: readonly string[];
  readonly curated: boolean;
}

/** The blocks in which at least so many different words stand: names before texts, and those with most words first. */
export function blocksWith(records: readonly RecordHandle[], least: number): BlockHandle[] {
  const blocks = records.flatMap(({ id, words }) => {
    const spots = new Map<number, Map<number, Spot>>();
    for (const spot of words.map(spotOf)) {
      spots.set(
        spot.block,
        (spots.get(spot.block) ?? new Map<number, Spot>()).set(spot.place, spot),
      );
    }
    return Array.from(spots, ([block, found]) => {
      const count = (kind: Spot["kind"]) =>
        [...found.values()].filter((spot) => spot.kind === kind).length;
      const file = blockFile(id, block);
      return { file, words: found.size, whole: count("whole"), names: count("name") };
    });
  });
  return blocks
    .filter(({ words }) => words >= least)
    .sort((a, b) => b.whole - a.whole || b.names - a.names || b.words - a.words);
}

/** @throws {Error} when the file cannot be had */
export async function quotesIn(folder: string, { file }: BlockHandle): Promise<FoundQuote[]> {
  const answer = await fetch(folder + file);
  if (!answer.ok || answer.body === null) throw new Error(`Cannot read ${file}: ${answer.status}`);
  const unpacked = answer.body.pipeThrough(new DecompressionStream("gzip"));
  const { language, pages } = (await new Response(unpacked).json()) as IndexedBlock;
  return pages.flatMap(([path, author, quotes]) =>
    quotes.map(([id, text, tags, curated]) => ({
      path: `${path}#q${id}`,
      text,
      author,
      language,
      tags,
      curated: curated === 1,
    })),
  );
}
