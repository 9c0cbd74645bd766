/**
 * Makes slugs, the only part of an address that depends on upstream text.
 *
 * A slug depends only on the folded key, so it does not change with the commonest spelling or with other names. A short
 * hash is added only if the key is unsuitable.
 */
import { createHash } from "node:crypto";
import type { ListingKind } from "./paths.ts";

/** In UTF-8: the name of a folder may have 255 bytes, and percent-encoding triples the length. */
export const MAX_SLUG_BYTES = 80;

/** Author page of unattributed quotes. An author named "Unknown" gets a slug with a hash. */
export const UNKNOWN_SLUG = "unknown";

const HASH_LENGTH = 8;

/** Device names of Windows, files that web hosts treat specially, and numbers, which are the addresses of pages. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|index|404|\d+)$/;

export function isReserved(kind: ListingKind, slug: string): boolean {
  return RESERVED.test(slug) || (kind === "author" && slug === UNKNOWN_SLUG);
}

/**
 * @param key the folded name; empty for a name without a letter or digit
 * @param name hashed to distinguish names that fold to nothing
 */
export function slugFor(kind: ListingKind, key: string, name: string): string {
  if (key === "") return `sign-${shortHash(name)}`;
  // A key has only the medial sigma; a Greek word ends in the final one.
  const slug = key.replaceAll(" ", "-").replace(/σ(?=-|$)/g, "ς");
  if (Buffer.byteLength(slug) <= MAX_SLUG_BYTES && !isReserved(kind, slug)) return slug;
  return withHash(slug, key);
}

export function withHash(slug: string, source: string): string {
  return `${cut(slug, MAX_SLUG_BYTES - HASH_LENGTH - 1)}-${shortHash(source)}`;
}

/** Words of letters and digits, joined by single hyphens. */
const FIT = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:-[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** Whether the service's slug can be used in an address unchanged. */
export function isFit(kind: ListingKind, slug: string): boolean {
  return (
    FIT.test(slug) &&
    !INVISIBLE.test(slug) &&
    Buffer.byteLength(slug) <= MAX_SLUG_BYTES &&
    slug === slug.normalize("NFKC").toLowerCase() &&
    !isReserved(kind, slug)
  );
}

/** Maps slugs that some file system treats as equal to one string. */
export function onDisk(slug: string): string {
  return slug.normalize("NFKC").toUpperCase();
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH);
}

const graphemes = new Intl.Segmenter("und", { granularity: "grapheme" });

/** Cuts a text between characters, or between code points if not even one character fits. */
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
