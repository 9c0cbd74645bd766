/**
 * Reads of each quote what listings are made of: its likes, its names, and a digest of its words, which themselves do not
 * stay in memory.
 */
import { digest } from "../digests.ts";
import { shownLikes } from "../likes.ts";
import { Columns, type Entry, type Gathered } from "./columns.ts";
import type { Database } from "../../sqlite/database.ts";

/** Whether the site's operator shows a quote to nobody. */
export type IsHidden = (id: number, author: string | null, tags: readonly string[]) => boolean;

export interface GatherOptions {
  /** What tells one picture of a quote from another; null where it has none to show. */
  readonly pictureOf: (image: string) => string | null;
  /** Quotes that the catalogue leaves out, as if the snapshot had none such. */
  readonly isHidden: IsHidden;
}

/** A quote as the snapshot has it. */
export type QuoteRow = readonly [
  id: number,
  text: string,
  author: string | null,
  likes: number,
  tags: string,
  image: string | null,
  language: string,
];

/**
 * All quotes of a snapshot, front to back.
 *
 * @param rows how many there are
 */
export function gather(snapshot: Database, rows: number, options: GatherOptions): Gathered {
  const columns = new Columns(rows);
  const quotes = snapshot.tuples<QuoteRow>(
    "SELECT id, text, author, likes, tags, image, language FROM quotes ORDER BY id",
  );
  for (const row of quotes) {
    const entry = entryOf(row, options);
    if (entry !== null) columns.push(entry);
  }
  return columns.done();
}

/** What is kept of a quote; null where it is hidden. */
export function entryOf(
  [id, text, author, likes, tagged, image, language]: QuoteRow,
  { pictureOf, isHidden }: GatherOptions,
): Entry | null {
  const tags = tagged === "[]" ? NO_TAGS : (JSON.parse(tagged) as string[]);
  if (isHidden(id, author, tags)) return null;
  const picture = image === null ? null : pictureOf(image);
  // No text of ours holds a control character, so the separator cannot be part of one.
  const shown = `${id}\0${text}\0${language}\0${shownLikes(likes)}\0${picture ?? ""}`;
  return { id, author, likes, tags, language, words: digest(shown) };
}

const NO_TAGS: readonly string[] = [];
