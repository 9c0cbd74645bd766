/**
 * What a version renamed or took away, as data. An old name works for one minor version with a message that has the new one; a
 * release adds rows, and removes those of the minor before.
 */

export interface Moved {
  /** The new name; null for what is gone. */
  readonly to: string | null;
  /** Version that made the change. */
  readonly since: string;
  /** For what is gone: what to use in its place, as the end of a sentence. */
  readonly advice?: string;
}

type Names = Readonly<Record<string, Moved>>;

/** Components and layouts, by their old paths below `src`, such as `components/chrome/Heading.astro`. */
export const MOVED_COMPONENTS: Names = {};

/** Keys of `site/config.ts`, of its first level. */
export const MOVED_KEYS: Names = {};

/** What to do about an old name, as the end of a message. */
export function movedTo({ to, since, advice }: Moved): string {
  const what = to === null ? `it is gone since ${since}` : `since ${since} it is ${to}`;
  return advice === undefined ? what : `${what}; ${advice}`;
}
