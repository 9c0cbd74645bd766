/** A quote as the collection holds it, as a row of its table, and as the service sends it. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fraction, hash32 } from "./hash.ts";
import type { WireQuote } from "../contract/quote.ts";

/** A quote with what the service knows of it and never sends. */
export interface HeldQuote extends Omit<WireQuote, "tags"> {
  readonly tags: readonly string[];
  /** Chosen by a person; `curated=1` asks for these alone. */
  readonly curated: boolean;
}

/** A row of `quotes`. */
export interface QuoteRow {
  readonly pk: number;
  readonly quote: string;
  readonly author: string | null;
  readonly likes: number;
  /** A JSON array of text, ready to be sent. */
  readonly tags: string;
  /** An address, or a path of the service itself. */
  readonly image: string | null;
  readonly language: string;
  readonly curated: 0 | 1;
}

export const QUOTE_COLUMNS =
  "q.pk, q.quote, q.author, q.likes, q.tags, q.image, q.language, q.curated";

export function fromRow(row: QuoteRow): HeldQuote {
  return { ...row, tags: JSON.parse(row.tags) as string[], curated: row.curated === 1 };
}

/**
 * A row as JSON in the contract's field names; a picture's path becomes an address below `publicUrl`.
 *
 * The tags are JSON already: parsing them to write them again would take longer than the rest of a page.
 */
export function wireJson(row: QuoteRow, publicUrl: string): string {
  const image = row.image?.startsWith("/") === true ? publicUrl + row.image : row.image;
  return (
    `{"quote":${JSON.stringify(row.quote)},"author":${JSON.stringify(row.author)},"likes":${row.likes},` +
    `"tags":${row.tags},"pk":${row.pk},"image":${JSON.stringify(image)},` +
    `"language":${JSON.stringify(row.language)}}`
  );
}

/** Length in code points, the unit of `minlength`: SQLite's own `length()` stops at a NUL. */
export function codePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** The service's own pictures. */
export const MEDIA = join(import.meta.dirname, "media");

/** Their paths. */
export const TILES = readdirSync(MEDIA).map((name) => `/media/${name}`);

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
  return hash % 256 === 0 ? (TILES[(hash >>> 8) % TILES.length] ?? null) : null;
}

/**
 * A name by which spellings in any case and script compare: NFKC, then one case.
 *
 * Upper and then lower case brings ß to "ss" and both Greek sigmas together; the dotted and the dotless I of Turkish
 * become the plain one, so that "IŞIK" finds "Işık".
 */
export function foldName(name: string): string {
  return name
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll("i\u0307", "i")
    .normalize("NFKC")
    .replace(/\s+/g, " ")
    .trim();
}

/** Longer slugs are cut: the contract makes no key of them. */
const MAX_SLUG_LENGTH = 50;

/** The slug of a tag: letters and digits of any script in lower case, joined by hyphens; "tag" where none is left. */
export function tagSlug(name: string): string {
  const words = name
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? ["tag"];
  return [...words.join("-")].slice(0, MAX_SLUG_LENGTH).join("");
}
