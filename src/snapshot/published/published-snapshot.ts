/** A published snapshot as its readers see it: immutable, opened read-only. */
import type { Quote } from "../../contract/quote.ts";
import type { Tag } from "../../contract/tag.ts";

/** A name and how many quotes carry it. */
export interface NameCount<Name extends string | null = string> {
  readonly name: Name;
  readonly quotes: number;
}

/** A day on which quotes were first seen. */
export interface NewDay {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  /** Ids, most liked first, ties by id; read as they are asked for. */
  readonly ids: () => Iterable<number>;
}

export interface PublishedSnapshot {
  /** Sortable: UTC stamp and a short digest. */
  readonly id: string;
  readonly path: string;
  quote(id: number): Quote | undefined;
  /** In the order of the ids; those that are not there are left out. */
  quotes(ids: readonly number[]): Quote[];
  /** By pk. */
  all(): Iterable<Quote>;
  /** Those whose pk is from `first` to `last`, by pk. */
  between(first: number, last: number): Iterable<Quote>;
  count(): number;
  /** Null stands for the quotes without an author. */
  authors(): Iterable<NameCount<string | null>>;
  tags(): Iterable<NameCount>;
  languages(): Iterable<NameCount>;
  /** The service's own list, which need not hold every tag that quotes carry. */
  tagList(): Tag[];
  /** Whether a person chose the quote, as the service says; null where nobody knows. */
  isCurated(id: number): boolean | null;
  /** Ids of the curated quotes, in order; null where nobody knows which they are. */
  curatedKeys(): Iterable<number> | null;
  /** The latest days that brought quotes, newest first; none where the snapshot is the first or too old to say. */
  newDays(most: number): NewDay[];
  /** Distinct addresses of pictures, in order. */
  images(): Iterable<string>;
  /** A JSON value kept with the snapshot: `harvest`, `source`, `selection`, `curated`; undefined if it is no JSON. */
  fact<T>(key: string): T | undefined;
  close(): void;
}
