/** Small deterministic hashes: what stands in for chance wherever something must come out the same each time. No secrets. */

/** FNV-1a over UTF-16 code units: 32 bits. Texts that differ in their last letter alone differ in the low bits alone. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** The same with a final mix: evenly spread over all bits. */
export function hash32(text: string): number {
  let hash = fnv1a(text);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A number from 0 up to and without 1. */
export function fraction(text: string): number {
  return hash32(text) / 2 ** 32;
}
