/** The catalogue's rows as SQLite hands them out, and what readers are given of them. */
import type { TermKind } from "../schema.ts";

/** A term and where its pages stand. */
export interface CatalogueTerm {
  readonly id: number;
  readonly slug: string;
  /** Null for the author of quotes without author. */
  readonly name: string | null;
  /** Quotes, or for an initial authors. */
  readonly members: number;
  readonly pages: number;
}

export interface TermLabel {
  readonly slug: string;
  readonly name: string | null;
}

/** What the first page of a term offers to go on with. */
export interface RelatedLabels {
  readonly tags: readonly TermLabel[];
  readonly authors: readonly TermLabel[];
}

/** A page of a listing, as whoever renders must know it. */
export interface PlannedListing {
  readonly kind: TermKind;
  readonly slug: string;
  readonly page: number;
  /** Of the listing. */
  readonly pages: number;
  /** Over all that the page shows, in hexadecimal. */
  readonly digest: string;
}

/** What the catalogue knows of a page's quotes without reading one of them. */
export interface PageMembers {
  readonly ids: Float64Array;
  /** `DIGEST_BYTES` for each id: of all that its card shows. */
  readonly cards: Buffer;
  /** For each id where its own link leads: 0 for a page of its own, else the page of its author's listing. */
  readonly permalinks: Uint32Array;
  /** Codes of the languages on the page. */
  readonly languages: readonly string[];
}

export type TermRow = readonly [
  id: number,
  slug: string,
  name: string | null,
  members: number,
  pages: number,
  firstPage: number,
];

export type PlannedRow = readonly [kind: TermKind, slug: string, digests: Uint8Array];

/** Between the languages of one page and those of the next; no code of a language holds one. */
export const BETWEEN_PAGES = "\n";

/** Pages that stand in one row. */
export type RunRow = readonly [
  sizes: Uint8Array,
  members: Uint8Array,
  cards: Uint8Array,
  permalinks: Uint8Array,
  languages: string,
];

/** What the catalogue knows of one quote. */
export interface PlannedCard {
  readonly digest: Buffer;
  /** 0 where the quote has a page of its own, else the page of its author's listing that it stands on. */
  readonly authorPage: number;
}

export type CardsRow = readonly [ids: Uint8Array, digests: Uint8Array, permalinks: Uint8Array];

export interface KindRow {
  readonly first: number;
  readonly terms: number;
}

export function toTerm([id, slug, name, members, pages]: TermRow): CatalogueTerm {
  return { id, slug, name, members, pages };
}

/** The numbers that a BLOB holds; SQLite hands each one out in memory of its own, so they are aligned. */
export function numbersOf(blob: Uint8Array): Float64Array {
  return new Float64Array(blob.buffer, blob.byteOffset, blob.byteLength / 8);
}

export function linksOf(blob: Uint8Array): Uint32Array {
  return new Uint32Array(blob.buffer, blob.byteOffset, blob.byteLength / 4);
}

export function bufferOf(blob: Uint8Array): Buffer {
  return Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength);
}
