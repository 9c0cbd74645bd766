/**
 * Reads a page around the records that make the service fail: the rows before, between and after them. A record is first looked
 * for after the key that was before it in an earlier run. It must fail after its neighbours are read, which proves that
 * nothing has moved.
 */
import type { ServedPage } from "../contract/window.ts";
import type { Quarantined } from "../contract/body.ts";
import type { Broken, BrokenRecords } from "./broken-records.ts";
import { countRecords, keysOf } from "./context.ts";

/** Requests for a record of another slice that find none of the keys before it: to search anew costs less than many. */
const GUESS_REQUESTS = 3;

type Rows = Pick<ServedPage, "quotes" | "quarantined" | "vacant">;

export interface AroundOptions {
  readonly records: BrokenRecords;
  /** Sends one request without retries; null where the service failed. */
  readonly ask: (offset: number, limit: number) => Promise<ServedPage | null>;
  /** Requests the rest of a page, which may hold a record that is not known to be broken. */
  readonly readRest: (offset: number, limit: number) => Promise<ServedPage>;
}

/** @returns null where no broken record is in the page */
export async function readAround(
  offset: number,
  rows: number,
  options: AroundOptions,
): Promise<ServedPage | null> {
  const { records, ask } = options;
  const end = offset + rows;
  const parts: Rows[] = [];
  const found: Broken[] = [];
  let from = offset;
  // The last row may be left to the next page: a page must not end with a record that fails.
  for (;;) {
    const record = records.firstIn(from, Math.max(end - 1, offset + 1));
    if (record === null) break;
    const place = await locate(record, from, end, options);
    if (place === null) continue;
    if (place.head !== null) parts.push(place.head);
    parts.push(asUnreadable(place.record));
    found.push(place.record);
    from = place.record.offset + 1;
  }
  const last = found.at(-1);
  if (last === undefined) return null;
  const tail = await options.readRest(from, Math.max(1, end - from));
  for (const record of found) {
    if (records.isSeen(record) && record !== last) continue;
    if ((await ask(record.offset, 1)) !== null) {
      records.delete(record);
      return null;
    }
    records.see(record);
  }
  return { ...tail, offset, ...joined([...parts, tail]) };
}

/**
 * Finds a record in a page, from where it was.
 *
 * @param from all rows of the page before it are read
 * @returns the record, and the rows from there to it; null where it is not in the page, and is forgotten or moved
 */
async function locate(
  record: Broken,
  from: number,
  end: number,
  { records, ask }: AroundOptions,
): Promise<{ readonly head: ServedPage | null; readonly record: Broken } | null> {
  /** All rows before `served` are in `head`; a page of the rows before `fails` fails. */
  let [served, fails] = [from, Infinity];
  let head: ServedPage | null = null;
  const tryUpTo = async (to: number): Promise<void> => {
    const page = await ask(from, to - from);
    if (page === null) fails = to;
    else if (countRecords(page) + (page.furniture ?? 0) >= to - from) [served, head] = [to, page];
    else throw new ListEnds();
  };
  const distance = (): number | null => {
    const keys = head === null ? [] : keysOf(head);
    return distanceAfter(keys, record);
  };
  const notHere = (): null => {
    records.delete(record);
    return null;
  };
  try {
    const guess = Math.min(Math.max(record.offset, from), end - 1);
    if (guess > from) await tryUpTo(guess);
    const isKnown = records.isSeen(record) && served === record.offset;
    let unknown = 0;
    for (let step = 1; !isKnown; step *= 2) {
      const ahead = distance();
      if (ahead === null && records.isGuessed(record) && ++unknown > GUESS_REQUESTS)
        return notHere();
      if (ahead === PASSED) return notHere();
      // The row at this place is the record, and the rows after it come next.
      if (ahead === 0 && served < fails) break;
      if (fails - served === 1) break;
      if (ahead !== null && ahead > 0 && served + ahead < fails) {
        if (served + ahead >= end) return (void records.move(record, served + ahead, []), null);
        await tryUpTo(served + ahead);
        continue;
      }
      if (fails < Infinity) {
        const middle = (served + fails) >> 1;
        await tryUpTo(served === from && head === null ? Math.max(middle, fails - step) : middle);
        continue;
      }
      if ((await ask(served, 1)) === null) break;
      if (served + step >= end) return notHere();
      await tryUpTo(served + step);
    }
  } catch (error) {
    if (error instanceof ListEnds) return notHere();
    throw error;
  }
  const keys = head === null ? [] : keysOf(head);
  const isSame = served === record.offset && (keys.length === 0 || record.before.length > 0);
  return { head, record: isSame ? record : records.move(record, served, keys) };
}

class ListEnds extends Error {}

const PASSED = -1;

/** Rows from the last of these keys to a record; `PASSED` where a row after its place was served, null where unknown. */
function distanceAfter(keys: readonly number[], { before }: Broken): number | null {
  const [last, nearest] = [keys.at(-1), before.at(-1)];
  if (last === undefined || nearest === undefined) return null;
  const place = before.indexOf(last);
  if (place >= 0) return before.length - 1 - place;
  return keys.includes(nearest) ? PASSED : null;
}

function asUnreadable({ offset, reason }: Broken): Rows {
  const what = `Cannot read the record at offset ${offset}: ${reason}`;
  return { quotes: [], quarantined: [{ index: 0, pk: null, reason: what }] };
}

/** The records of consecutive pages as those of one. */
function joined(pages: readonly Rows[]) {
  const quarantined: Quarantined[] = [];
  const vacant: number[] = [];
  let [records, rows] = [0, 0];
  for (const page of pages) {
    const { quotes, vacant: empty = [] } = page;
    // The index of a record does not count vacant rows.
    for (const one of page.quarantined) quarantined.push({ ...one, index: one.index + records });
    for (const place of empty) vacant.push(place + rows);
    records += quotes.length + page.quarantined.length;
    rows += quotes.length + page.quarantined.length + empty.length;
  }
  return { quotes: pages.flatMap(({ quotes }) => quotes), quarantined, vacant };
}
