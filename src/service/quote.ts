/** A quote in three forms: as an object, as a row of its table, and as the JSON that the service sends. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { QuoteSource, WireQuote } from "../contract/quote.ts";

/** A quote with `curated`, which the service never sends. */
export interface StoredQuote extends Omit<WireQuote, "tags" | "source"> {
  readonly tags: readonly string[];
  readonly source?: QuoteSource;
  /** Chosen by a person; `curated=1` lists these only. */
  readonly curated: boolean;
}

/** A row of `quotes`; `image` is an address, or a path below the address of the service. */
export interface QuoteRow extends Omit<StoredQuote, "tags" | "source" | "curated"> {
  /** JSON array of strings. */
  readonly tags: string;
  /** JSON; null where nothing is known of it. */
  readonly source: string | null;
  readonly curated: 0 | 1;
}

export const QUOTE_COLUMNS =
  "q.pk, q.quote, q.author, q.likes, q.tags, q.image, q.language, q.source, q.curated";

export function toStoredQuote(row: QuoteRow): StoredQuote {
  const { source, ...fields } = row;
  return {
    ...fields,
    tags: JSON.parse(row.tags) as string[],
    curated: row.curated === 1,
    ...(source === null ? {} : { source: JSON.parse(source) as QuoteSource }),
  };
}

/**
 * Writes a row as JSON with the contract's field names; a picture that is a path becomes an address below `publicUrl`.
 *
 * The stored tags are JSON already: to parse them would take longer than the rest of a page.
 */
export function toWireJson(row: QuoteRow, publicUrl: string): string {
  const image = row.image?.startsWith("/") === true ? publicUrl + row.image : row.image;
  return (
    `{"quote":${JSON.stringify(row.quote)},"author":${JSON.stringify(row.author)},"likes":${row.likes},` +
    `"tags":${row.tags},"pk":${row.pk},"image":${JSON.stringify(image)},` +
    `"language":${JSON.stringify(row.language)}${row.source === null ? "" : `,"source":${row.source}`}}`
  );
}

/** Counts code points, the unit of `minlength`. SQLite's `length()` stops at a NUL. */
export function countCodePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/**
 * Hashes a text to 32 bits, to derive values that look random and are always the same. It is FNV-1a over UTF-16 code units,
 * with a final mix that spreads the last letter over all bits. Not for secrets.
 */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Derives a number from a text: at least 0, and less than 1. */
export function fraction(text: string): number {
  return hash32(text) / 2 ** 32;
}

/** The folder of the service's pictures. */
export const MEDIA = join(import.meta.dirname, "media");

/** The paths of the service's pictures. */
export const TILES = readdirSync(MEDIA).map((name) => `/media/${name}`);

/** Derives likes from a text, distributed as on real services: most quotes have few, some have tens of thousands. */
export function deriveLikes(text: string): number {
  return Math.floor(10 ** (fraction(`likes ${text}`) ** 2 * 4.6)) - 1;
}

/** True for one text in six, about the share of curated quotes on real services. */
export function deriveCurated(text: string): boolean {
  return hash32(`curated ${text}`) % 6 === 0;
}

/** Derives the path of a picture for one text in 256; null for the others. */
export function deriveImage(text: string): string | null {
  const hash = hash32(`image ${text}`);
  return hash % 256 === 0 ? (TILES[(hash >>> 8) % TILES.length] ?? null) : null;
}

/**
 * Folds a name for a comparison that ignores case.
 *
 * Upper and then lower case turns ß into "ss" and makes both Greek sigmas equal. The dotted and the dotless I of Turkish
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

/** Longer slugs are cut: in the contract a slug is not a key. */
const MAX_SLUG_LENGTH = 50;

/** Makes a slug: letters and digits of any script in lower case, joined by hyphens; "tag" where none is left. */
export function makeTagSlug(name: string): string {
  const words = name
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? ["tag"];
  return [...words.join("-")].slice(0, MAX_SLUG_LENGTH).join("");
}
