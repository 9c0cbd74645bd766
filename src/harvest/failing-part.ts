/** Whether a service fails in a part of a list, so that no single record is the cause (docs/walk.md, section 7). */

export interface Part {
  /** Whether the service fails at the record of an offset. */
  readonly fails: (offset: number) => Promise<boolean>;
  /** Whether the record of an offset is served in a page that begins before it. */
  readonly follows: (offset: number) => Promise<boolean>;
  /** Records of a full page. */
  readonly page: number;
  readonly isSlice: boolean;
}

/** Whether the service answers a request for one of the first records of the list. */
export async function servesStart({ fails }: Part): Promise<boolean> {
  for (const offset of [0, 1, 2]) if (!(await fails(offset))) return true;
  return false;
}

/** Whether the service fails one page further on, and two. */
export async function failsPagesAfter(offset: number, { fails, page }: Part): Promise<boolean> {
  return (await fails(offset + page)) && fails(offset + 2 * page);
}

/**
 * Whether the service refuses the list from here on, so that no record is the cause: the record is served in a page that begins
 * before it, or the service fails at two more places, two pages further on or within this page.
 */
export async function failsFrom(offset: number, part: Part): Promise<boolean> {
  if (!(await part.fails(offset))) return false;
  if (await part.follows(offset)) return true;
  if (await failsPagesAfter(offset, part)) return true;
  // The rows of a slice are few, and may all be broken.
  const step = part.isSlice ? 0 : Math.floor(part.page / 5);
  return step > 0 && (await part.fails(offset + step)) && (await part.fails(offset + 2 * step));
}
