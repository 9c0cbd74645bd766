/**
 * Favourites: kept in this browser's `localStorage`, and read when the reader first uses them.
 *
 * What cannot be read is put aside under another name, never thrown away.
 */
import { store, stored, type Outcome } from "../browser.ts";

/** A name with the path of its listing, which is empty where there is none. */
export type NameLink = readonly [name: string, path: string];

export interface Kept {
  readonly pk: number;
  readonly quote: string;
  readonly author: string;
  /** BCP 47. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
  /** Of its permalink, without the base path, such as `/quote/12/`. */
  readonly path: string;
  /** Of its author's listing; missing in older lists. */
  readonly by?: string;
  readonly tags?: readonly NameLink[];
}

/** Each site of a host has a list of its own. */
export const keyOf = (base: string): string => `commonplace-favourites:${base}`;

/** A permalink of the site: what comes from a file or from storage leads nowhere else. */
const PATH = /^\/(?:quote\/\d{1,16}\/|author\/[^/\\?#\s]{1,240}\/(?:\d{1,7}\/)?#q\d{1,16})$/u;

/** The path of a listing of the site. */
const LISTING = /^\/(?:author|tag)\/[^/\\?#\s]{1,240}\/$/u;

/**
 * The list in the order in which the quotes were kept.
 *
 * @returns `trouble`: `blocked` where the browser gives no storage, `damaged` where something was there and could not be read
 */
export function readFavourites(base: string) {
  const raw = stored(keyOf(base));
  const list: readonly Kept[] | null = typeof raw === "string" ? parseFavourites(raw) : [];
  const trouble = list === null ? "damaged" : raw === undefined ? "blocked" : null;
  return { list: list ?? [], trouble } as const;
}

/** A stored list that cannot be read is put under a name with the time first. */
export function writeFavourites(base: string, list: readonly Kept[]): Outcome {
  if (readFavourites(base).trouble === "damaged") {
    const name = `${keyOf(base)}:damaged:${new Date().toISOString()}`;
    const aside = store(name, stored(keyOf(base)) ?? "");
    if (aside !== "done") return aside;
  }
  return store(keyOf(base), JSON.stringify(list));
}

/** Takes a list as it is stored or exported; null when it is none. Entries that are no quotes are left out. */
export function parseFavourites(raw: string): Kept[] | null {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
  const { favourites } = Object(value) as { readonly favourites?: unknown };
  const list = Array.isArray(value) ? value : favourites;
  return Array.isArray(list) ? list.flatMap(keptOf) : null;
}

function keptOf(value: unknown): Kept[] {
  const { pk, quote, author, lang, dir, path, by, tags } = Object(value) as Partial<
    Readonly<Record<keyof Kept, unknown>>
  >;
  if (!Number.isSafeInteger(pk) || typeof quote !== "string" || typeof author !== "string")
    return [];
  if (typeof path !== "string" || !PATH.test(path)) return [];
  return [
    {
      ...{ pk: Number(pk), quote, author },
      lang: typeof lang === "string" ? lang : "",
      dir: dir === "rtl" ? "rtl" : "ltr",
      path,
      by: listingOf(by),
      tags: Array.isArray(tags) ? tags.flatMap(nameLinkOf) : [],
    },
  ];
}

function nameLinkOf(value: unknown): NameLink[] {
  const [name, path]: unknown[] = Array.isArray(value) ? (value as unknown[]) : [];
  return typeof name === "string" ? [[name, listingOf(path)]] : [];
}

function listingOf(path: unknown): string {
  return typeof path === "string" && LISTING.test(path) ? path : "";
}
