/** What the reads of a site are made from. */
import type { PictureLookup } from "../images/lookup.ts";
import type { Plan } from "../plan/index.ts";
import type { PublishedSnapshot } from "../snapshot/index.ts";

export interface Sources {
  readonly snapshot: PublishedSnapshot;
  readonly plan: Plan;
  /** Undefined where no quote has a picture. */
  readonly pictures: PictureLookup | undefined;
  readonly stateDir: string;
  /** Quotes on a listing page. */
  readonly perPage: number;
  /** Quotes with a page to embed. */
  readonly embeds: number;
  /** Code of the language of pages that belong to none. */
  readonly language: string;
  /** The day of the build, `YYYY-MM-DD`, UTC. */
  readonly date: string;
}
