/** Deterministic hashes, for values that look random but are always the same. Not for secrets. */

/** FNV-1a over UTF-16 code units, with a final mix that spreads the last letter over all 32 bits. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A number from 0 to 1, 1 excluded. */
export function fraction(text: string): number {
  return hash32(text) / 2 ** 32;
}
