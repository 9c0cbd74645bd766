/**
 * Furniture: rows that stand at the same place of every page, such as a pinned quote or an advertisement. They are no rows of the
 * list, and count neither for its order nor for links, repeats or slices (docs/walk.md, section 4).
 */
import type { Quote } from "../contract/quote.ts";
import {
  filterName,
  isSlice,
  type Filter,
  type GetQuotes,
  type ServedPage,
  type Window,
} from "../contract/window.ts";
import type { Run } from "../snapshot/index.ts";
import { isWithin } from "./units.ts";

/** Pages of a list that are compared: furniture is on the first ones too. */
const COMPARED = 4;
/** Rows from either end of a page among which a pinned quote is searched. */
const EDGE = 3;
/** Most rows of a page that are furniture: with more, the pages are the same. */
const MOST_SHARE = 0.2;
/** Requests of a run that check candidates. */
const MOST_CHECKS = 3;

const TRAIT = "furniture";
const UNREADABLE = "unreadable";

/** A row by its place on a page: from 0, or from -1 backwards from the end. */
interface Piece {
  readonly place: number;
  /** Null for a record that cannot be read. */
  readonly pk: number | null;
}

type Row = { readonly quote: Quote } | { readonly unreadable: number } | null;

/** What is known of a service's furniture. */
export class Furniture {
  readonly #store: Run;
  readonly #keep: (quote: Quote) => boolean;
  #pieces: readonly Piece[];
  /** The first pages of each list. */
  readonly #pages = new Map<
    string,
    { readonly offset: number; readonly names: readonly string[] }[]
  >();
  #checks = 0;
  #isFirst = true;

  /** @param keep whether a quote passes the selection */
  constructor(store: Run, keep: (quote: Quote) => boolean) {
    this.#store = store;
    this.#keep = keep;
    this.#pieces = store.trait<{ pieces: Piece[] }>(TRAIT)?.pieces ?? [];
  }

  /** Wraps the requests for quotes: every page comes without its furniture. */
  wrap(get: GetQuotes): GetQuotes {
    return async (filter, ...request) => this.#strip(await get(filter, ...request), filter);
  }

  /** Takes the furniture out of a page; a pinned quote is stored once. */
  #strip(page: ServedPage, filter: Filter): ServedPage {
    const rows = rowsOf(page);
    if (this.#pieces.length === 0 || rows.length === 0) return page;
    const places = new Set(
      this.#pieces.flatMap((piece) => placeOf(piece, rows, isSlice(filter) ? filter : null) ?? []),
    );
    // It may have been taken down.
    if (this.#isFirst && !isSlice(filter) && places.size === 0) this.#save([]);
    if (!isSlice(filter)) this.#isFirst = false;
    if (places.size === 0) return page;
    const pinned = rows.flatMap((row, place) =>
      places.has(place) && row !== null && "quote" in row ? [row.quote] : [],
    );
    this.#savePinned(pinned, page, filter);
    const kept = rows.filter((_, place) => !places.has(place));
    return { ...pageOf(page, kept), furniture: places.size };
  }

  #savePinned(pinned: readonly Quote[], page: ServedPage, filter: Filter): void {
    const fresh = pinned.filter(({ id }) => this.#store.countNew([id]) > 0);
    if (fresh.length === 0 || filter.curated) return;
    const pks = fresh.map(({ id }) => id);
    const place = { offset: page.offset, got: fresh.length, isLast: false };
    const window: Window = { filter: filterName(filter), kind: "probe", pks, ...place };
    this.#store.save({ window, quotes: fresh.filter(this.#keep), quarantined: [] });
  }

  /** Compares a page with the first ones of its list, and returns the rows that are probably furniture. */
  suspect(page: ServedPage, filter: Filter): readonly Piece[] {
    const names = rowsOf(page).map(nameOf);
    const pages = this.#pages.get(filterName(filter)) ?? [];
    const isOver = pages.length >= COMPARED || this.#checks >= MOST_CHECKS;
    if (isSlice(filter) || isOver || names.length === 0) return [];
    const shared = pages
      .filter(({ offset }) => offset !== page.offset)
      .map((before) => sharedBy(before.names, names))
      .find((pieces) => pieces.length > 0);
    this.#pages.set(filterName(filter), [...pages, { offset: page.offset, names }]);
    if (shared === undefined) return [];
    this.#checks++;
    return shared;
  }

  /**
   * Checks candidates against the page one row further on: furniture is at the same place, and the other rows have moved.
   *
   * @returns whether there is new furniture
   */
  confirm(pieces: readonly Piece[], page: ServedPage, further: ServedPage): boolean {
    const [names, next] = [rowsOf(page).map(nameOf), rowsOf(further).map(nameOf)];
    const stays = pieces.filter((piece) => next.at(piece.place) === nameOf(piece));
    const moved = names.filter((name, place) => place > 0 && next[place - 1] === name).length;
    if (stays.length === 0 || moved * 2 < names.length) return false;
    this.#save([...this.#pieces, ...stays]);
    this.#pages.clear();
    return true;
  }

  #save(pieces: readonly Piece[]): void {
    this.#pieces = pieces;
    this.#store.saveTrait(TRAIT, pieces.length === 0 ? null : { pieces });
  }
}

/** Where a piece is on a page, which may be too short for its place; null where it is not there. */
function placeOf(piece: Piece, rows: readonly Row[], slice: Filter | null): number | null {
  const { length } = rows;
  const place =
    piece.place < 0 ? Math.max(0, length + piece.place) : Math.min(piece.place, length - 1);
  const row = rows[place] ?? null;
  if (row === null || nameOf(row) !== nameOf(piece)) return null;
  // In a slice to which it belongs, a pinned quote is a row like others.
  if (!("quote" in row) || slice === null || !isWithin([row.quote], slice)) return place;
  return rows.filter((one) => nameOf(one) === nameOf(piece)).length > 1 ? place : null;
}

/** The rows of a page in the order served; null for a vacant one. */
function rowsOf({ quotes, quarantined, vacant = [] }: ServedPage): Row[] {
  const rows: Row[] = quotes.map((quote) => ({ quote }));
  for (const [at, { index }] of quarantined.entries()) rows.splice(index, 0, { unreadable: at });
  for (const place of vacant) rows.splice(place, 0, null);
  return rows;
}

function pageOf(page: ServedPage, rows: readonly Row[]): ServedPage {
  const records = rows.filter((row) => row !== null);
  return {
    ...page,
    quotes: records.flatMap((row) => ("quote" in row ? [row.quote] : [])),
    quarantined: records.flatMap((row, index) => {
      const record = "unreadable" in row ? page.quarantined[row.unreadable] : undefined;
      return record === undefined ? [] : [{ ...record, index }];
    }),
    vacant: rows.flatMap((row, place) => (row === null ? [place] : [])),
  };
}

function nameOf(row: Row | Piece): string {
  if (row === null) return "";
  if ("place" in row) return row.pk === null ? UNREADABLE : String(row.pk);
  return "quote" in row ? String(row.quote.id) : UNREADABLE;
}

/** Rows that two pages have at the same place, from the start or from the end; none where most are the same. */
function sharedBy(before: readonly string[], now: readonly string[]): Piece[] {
  const places = now.flatMap((name, place) => {
    if (name === "" || (name !== UNREADABLE && !isAtEdge(place, now.length))) return [];
    const pk = name === UNREADABLE ? null : Number(name);
    if (before[place] === name) return [{ place, pk }];
    const fromEnd = place - now.length;
    return before.at(fromEnd) === name ? [{ place: fromEnd, pk }] : [];
  });
  return places.length > Math.max(1, now.length * MOST_SHARE) ? [] : places;
}

const isAtEdge = (place: number, rows: number): boolean => place < EDGE || place >= rows - EDGE;
