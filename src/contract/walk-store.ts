/**
 * Where a walk keeps what it has read, and what it needs to go on after a crash.
 *
 * A window, its quotes and the state of its chain are written together or not at all (harvest.md §7).
 */
import type { Quarantined } from "./page.ts";
import type { Quote } from "./quote.ts";
import type { Window } from "./window.ts";

/** A chain's state, as plain JSON: the store does not look inside. */
export type StoredState = Readonly<Record<string, unknown>>;

export interface WindowRecord {
  readonly window: Window;
  /** What the selection keeps of it. */
  readonly quotes: readonly Quote[];
  readonly quarantined: readonly Quarantined[];
  /** The chain after this window; null for windows that belong to none. */
  readonly state: StoredState | null;
}

export interface WalkStore {
  /** State of the chain read with a filter; null when none was begun. */
  chainState(filter: string): StoredState | null;
  /** The last windows of a chain, oldest first. */
  lastWindows(filter: string, count: number): Window[];
  save(record: WindowRecord): void;
  /** Different quotes kept so far in this run. */
  readonly quotesSeen: number;
}
