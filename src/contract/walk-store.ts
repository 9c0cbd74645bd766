/**
 * Where a walk keeps what it has read, and what it needs to go on after a crash.
 *
 * A window, its quotes and what it means for the walk are written together or not at all (docs/walk.md, section 9).
 */
import type { Quarantined } from "./page.ts";
import type { Quote } from "./quote.ts";
import type { Filter, Window } from "./window.ts";

/** A chain's state, as plain JSON: the store does not look inside. */
export type StoredState = Readonly<Record<string, unknown>>;

export interface WindowRecord {
  readonly window: Window;
  /** What the selection keeps of it. */
  readonly quotes: readonly Quote[];
  readonly quarantined: readonly Quarantined[];
  /** The chain that this window belongs to, after it; absent for windows that belong to none. */
  readonly state?: StoredState;
  /** What it settles of a plan of slices. */
  readonly slice?: SliceSettled;
}

/** A slice that need not be read again, and those that take its place: none when it was read whole. */
export interface SliceSettled {
  /** Name of the filter that was cut into slices. */
  readonly of: string;
  readonly slice: Filter;
  readonly instead: readonly Filter[];
}

/** How many quotes seen have each length, in code points, shortest first. */
export type Lengths = readonly { readonly length: number; readonly quotes: number }[];

export interface WalkStore {
  /** State kept under a name, usually of a filter; null when none was. */
  state(name: string): StoredState | null;
  saveState(name: string, state: StoredState): void;
  /** The last windows of a chain, oldest first. */
  lastWindows(filter: string, count: number): Window[];
  /** One window of a chain, by its place in the order they were accepted, from 0; undefined beyond the last. */
  windowAt(filter: string, place: number): Window | undefined;
  save(record: WindowRecord): void;
  /** Begins a plan of slices, in place of any before it. */
  planSlices(of: string, slices: readonly Filter[]): void;
  /** The slices of a plan that are still to be read; null when there is no plan. */
  openSlices(of: string): Filter[] | null;
  settleSlice(settled: SliceSettled): void;
  /** Of the quotes seen in a list. */
  lengths(filter: Filter): Lengths;
  /** Those of the keys that no window of a chain holds. */
  unmet(filter: string, pks: readonly number[]): number[];
  /** Keys of the quotes kept in this run that lie strictly between the bounds of a slice, in whatever unit the service counts lengths. */
  knownIn(slice: Filter): number[];
  /** Why records could not be read, in words: how many for each of the first few reasons. */
  readonly unreadable: string;
  /** Size of the file, in bytes. */
  readonly bytes: number;
  languagesSeen(): string[];
  /** Different quotes kept so far in this run. */
  readonly quotesSeen: number;
}
