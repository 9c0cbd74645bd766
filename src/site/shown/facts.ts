/** What is known of the collection as a whole, and of how it was read. */
import type { BuildEntry } from "../../contract/build-entry.ts";
import type { HarvestFact, NightFact } from "../../contract/harvest-result.ts";
import type { MergedNames } from "../../contract/night.ts";
import type { PictureCounts } from "../../images/lookup.ts";
import type { LanguageCount } from "./terms.ts";

/**
 * Totals, and how fresh and how whole the data is.
 *
 * They change every night: a listing page that showed them would be made again each time, so show them on the home page,
 * the indexes and `/about/`.
 */
export interface Summary {
  readonly quotes: number;
  /** Named authors, quotes without author left out. */
  readonly authors: number;
  readonly tags: number;
  readonly languages: number;
  /** `complete:proved`, `complete:sliced`, `best-effort` or `partial`; null where the snapshot does not say. */
  readonly label: string | null;
  /** When the harvest ended, ISO 8601 in UTC; null where the snapshot does not say. */
  readonly dataAsOf: string | null;
  /** The service's host; null where the snapshot does not say. */
  readonly source: string | null;
}

/** What the harvest did, as a snapshot of any age tells it. */
export interface HarvestFacts extends Omit<HarvestFact, "label" | "assumption"> {
  readonly label: string;
  readonly assumption: string | null;
}

export interface AboutPage {
  readonly summary: Summary;
  readonly harvest: HarvestFacts | null;
  readonly languages: readonly LanguageCount[];
}

/** The page about the last build: this snapshot's harvest, and the builds that had ended when it was made. */
export interface BuildPage {
  readonly summary: Summary;
  readonly harvest: HarvestFacts | null;
  /** Null for a snapshot that an older version made. */
  readonly night: NightFact | null;
  readonly merged: MergedNames;
  readonly pictures: PictureCounts;
  /** At most 30, oldest first. */
  readonly history: readonly BuildEntry[];
}
