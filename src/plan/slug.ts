/**
 * Makes the only part of an address that depends on upstream text.
 *
 * A slug is made from the folded key and from nothing else, so that it stays the same when the commonest spelling
 * changes overnight or another name arrives; a short hash is added only where the key alone would not do.
 */
import { createHash } from "node:crypto";
import type { ListingKind } from "./paths.ts";

/** Most bytes of a slug in UTF-8: a folder's name may have 255, and tools that percent-encode treble them. */
export const MAX_SLUG_BYTES = 80;

/** The author page of quotes without author. An author whose name is Unknown gets a hash behind the word. */
export const UNKNOWN_SLUG = "unknown";

const HASH_LENGTH = 8;

/** Names that Windows keeps for devices, that web hosts serve on their own, and numbers, which our addresses use. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|index|404|\d+)$/;

export function isReserved(kind: ListingKind, slug: string): boolean {
  return RESERVED.test(slug) || (kind === "author" && slug === UNKNOWN_SLUG);
}

/**
 * The slug of a name.
 *
 * @param key what the name folds to; empty for a name without a letter or digit
 * @param name hashed to distinguish names with one slug
 */
export function slugFor(kind: ListingKind, key: string, name: string): string {
  if (key === "") return `sign-${shortHash(name)}`;
  // Inside a key all sigmas are one; a Greek word ends in the final one.
  const slug = key.replaceAll(" ", "-").replace(/σ(?=-|$)/g, "ς");
  if (Buffer.byteLength(slug) <= MAX_SLUG_BYTES && !isReserved(kind, slug)) return slug;
  return withHash(slug, key);
}

/** A slug cut to its limit, made unique by a hash. */
export function withHash(slug: string, source: string): string {
  return `${cut(slug, MAX_SLUG_BYTES - HASH_LENGTH - 1)}-${shortHash(source)}`;
}

/** Words of letters and digits joined by single hyphens. */
const FIT = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:-[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** Whether the service's own slug can be used in an address unchanged. */
export function isFit(kind: ListingKind, slug: string): boolean {
  return (
    FIT.test(slug) &&
    !INVISIBLE.test(slug) &&
    Buffer.byteLength(slug) <= MAX_SLUG_BYTES &&
    slug === slug.normalize("NFKC").toLowerCase() &&
    !isReserved(kind, slug)
  );
}

/** Slugs that some file system takes for one have the same form here. */
export function onDisk(slug: string): string {
  return slug.normalize("NFKC").toUpperCase();
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH);
}

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** As many whole characters as fit; where not even one does, as many code points. */
function cut(text: string, bytes: number): string {
  const start = text.slice(0, bytes * 2);
  const characters = Array.from(graphemes.segment(start), ({ segment }) => segment);
  const kept = upTo(characters, bytes) || upTo([...start], bytes);
  return kept.replace(/-+$/, "");
}

function upTo(parts: readonly string[], bytes: number): string {
  let kept = "";
  for (const part of parts) {
    if (Buffer.byteLength(kept + part) > bytes) break;
    kept += part;
  }
  return kept;
}
