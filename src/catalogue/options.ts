/** What the catalogue is built with: the plan and the settings come from outside, since a stage knows no other. */
import type { Before } from "./gather/again.ts";
import type { GatherOptions } from "./gather/gather.ts";
import type { Tag } from "../contract/tag.ts";
import type { ListingKind, Spelling, Term } from "../contract/term.ts";

/** A group of the authors' index. */
export interface Initial {
  readonly label: string;
  readonly slug: string;
}

export interface BuildOptions extends GatherOptions {
  /** The published snapshot; only read. */
  readonly snapshotPath: string;
  /** Where the catalogue goes. */
  readonly path: string;
  /** Says what the catalogue was made from; kept in it, so that another run can tell whether it still fits. */
  readonly key: string;
  /** Quotes on a listing page. */
  readonly perPage: number;
  /** Authors on a page of the authors' index. */
  readonly authorsPerPage: number;
  /** How many of the quotes have a page of their own, the most liked first. */
  readonly quotePages: number;
  /** Quotes that a tag must have to get a listing. */
  readonly minTagQuotes: number;
  readonly planTerms: (
    kind: ListingKind,
    names: Iterable<Spelling>,
    tagList: readonly Tag[],
  ) => Term[];
  readonly initialOf: (authorKey: string) => Initial;
  readonly compareInitials: (a: Initial, b: Initial) => number;
  /** A catalogue of another snapshot that was built with the same options; null where there is none. */
  readonly before: Before | null;
}
