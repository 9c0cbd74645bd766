/**
 * Favourites, stored in `localStorage`.
 *
 * A stored list that cannot be read is moved to another key, and never deleted.
 */
import { favouritesKey, writeStorage, readStorage, type StorageOutcome } from "../browser.ts";

/** A name with the path of its listing, or an empty path where there is none. */
export type NameLink = readonly [name: string, path: string];

export interface Favourite {
  readonly pk: number;
  readonly quote: string;
  readonly author: string;
  /** BCP 47. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
  /** Path of its permalink below the base path, such as `/quote/12/`. */
  readonly path: string;
  /** Path of its author's listing; missing in older lists. */
  readonly by?: string;
  readonly tags?: readonly NameLink[];
  /** Where it stands in print, on one line. */
  readonly source?: string;
  /** When it was kept, ISO 8601; missing in older lists. */
  readonly at?: string;
  /** The reader's note. */
  readonly note?: string;
}

/** Key of the title that a reader gives the list. */
export const titleKey = (base: string): string => `commonplace-book:${base}`;

/** In UTF-16 units. */
const LONGEST_NOTE = 10_000;

/** A permalink of the site. Files and storage are not trusted, so other addresses are refused. */
const PATH = /^\/(?:quote\/\d{1,16}\/|author\/[^/\\?#\s]{1,240}\/(?:\d{1,7}\/)?#q\d{1,16})$/u;

/** Path of a listing of the site. */
const LISTING = /^\/(?:author|tag)\/[^/\\?#\s]{1,240}\/$/u;

/**
 * Reads the favourites, oldest first.
 *
 * @returns `trouble`: `blocked` where the browser refuses storage, `damaged` where the stored list cannot be read
 */
export function readFavourites(base: string) {
  const raw = readStorage(favouritesKey(base));
  const list: readonly Favourite[] | null = typeof raw === "string" ? parseFavourites(raw) : [];
  const trouble = list === null ? "damaged" : raw === undefined ? "blocked" : null;
  return { list: list ?? [], trouble } as const;
}

/** Stores the favourites. A stored list that cannot be read is first moved to a key with the time. */
export function writeFavourites(base: string, list: readonly Favourite[]): StorageOutcome {
  if (readFavourites(base).trouble === "damaged") {
    const name = `${favouritesKey(base)}:damaged:${new Date().toISOString()}`;
    const moved = writeStorage(name, readStorage(favouritesKey(base)) ?? "");
    if (moved !== "done") return moved;
  }
  return writeStorage(favouritesKey(base), JSON.stringify(list));
}

/** Parses a stored or exported list; null for any other text. Invalid entries are skipped. */
export function parseFavourites(raw: string): Favourite[] | null {
  return parseBook(raw)?.favourites ?? null;
}

/** Parses a list with its title, which is empty where the file has none. */
export function parseBook(raw: string): { title: string; favourites: Favourite[] } | null {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
  const { favourites, title } = Object(value) as Readonly<Record<string, unknown>>;
  const list = Array.isArray(value) ? (value as unknown[]) : favourites;
  if (!Array.isArray(list)) return null;
  return {
    title: typeof title === "string" ? title : "",
    favourites: list.flatMap(decodeFavourite),
  };
}

function decodeFavourite(value: unknown): Favourite[] {
  const { pk, quote, author, lang, dir, path, by, tags, source, at, note } = Object(
    value,
  ) as Partial<Readonly<Record<keyof Favourite, unknown>>>;
  if (!Number.isSafeInteger(pk) || typeof quote !== "string" || typeof author !== "string")
    return [];
  if (typeof path !== "string" || !PATH.test(path)) return [];
  return [
    {
      ...{ pk: Number(pk), quote, author },
      lang: typeof lang === "string" ? lang : "",
      dir: dir === "rtl" ? "rtl" : "ltr",
      path,
      by: decodeListing(by),
      tags: Array.isArray(tags) ? tags.flatMap(decodeNameLink) : [],
      ...(typeof source === "string" && source !== "" ? { source } : {}),
      ...(typeof at === "string" && !Number.isNaN(Date.parse(at)) ? { at } : {}),
      ...(typeof note === "string" && note !== "" ? { note: note.slice(0, LONGEST_NOTE) } : {}),
    },
  ];
}

function decodeNameLink(value: unknown): NameLink[] {
  const [name, path]: unknown[] = Array.isArray(value) ? (value as unknown[]) : [];
  return typeof name === "string" ? [[name, decodeListing(path)]] : [];
}

function decodeListing(path: unknown): string {
  return typeof path === "string" && LISTING.test(path) ? path : "";
}
