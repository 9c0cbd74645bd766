/**
 * Limits of what a service may send. Without them one record could fill a disk, a page or a call stack.
 *
 * A record over a limit of text, size or depth is quarantined; an author or a tag over its limit is left out.
 */

/** Code points. */
export const MAX_TEXT = 10_000;
export const MAX_TEXT_LINES = 400;
/** Code points. */
export const MAX_AUTHOR = 200;
/** Code points. */
export const MAX_TAG = 100;
/** Tags of one quote. */
export const MAX_TAGS = 64;

/** Levels of nesting, the record itself being the first. */
const MAX_DEPTH = 32;
/** Characters of JSON, spaces and escapes not counted. */
const MAX_RECORD = 256_000;

export function hasMoreCodePoints(text: string, most: number): boolean {
  if (text.length <= most) return false;
  if (text.length > 2 * most) return true;
  return Array.from(text).length > most;
}

/** @param most lines that are allowed */
export function hasMoreLines(text: string, most: number): boolean {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0 && lines <= most; at = text.indexOf("\n", at + 1)) {
    lines++;
  }
  return lines > most;
}

/** Why a parsed JSON value is too large to decode; null when it is not. */
export function findExcess(value: unknown): string | null {
  const size = measure(value, 0);
  if (size === TOO_DEEP) return `it is nested more than ${MAX_DEPTH} levels deep`;
  return size > MAX_RECORD ? `it is longer than ${MAX_RECORD / 1_000} kB` : null;
}

const TOO_DEEP = Infinity;

/** @returns characters of JSON, counted until the limit is exceeded; `TOO_DEEP` beyond the depth limit */
function measure(value: unknown, depth: number): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value !== "object" || value === null) return 2;
  if (depth >= MAX_DEPTH) return TOO_DEEP;
  let size = 2;
  if (Array.isArray(value)) {
    for (const part of value) {
      size += measure(part, depth + 1);
      if (size > MAX_RECORD) break;
    }
    return size;
  }
  const record = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(record)) {
    size += name.length + 3 + measure(record[name], depth + 1);
    if (size > MAX_RECORD) break;
  }
  return size;
}
