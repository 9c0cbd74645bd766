/** What the reads of a site are made from. */
import type { PictureLookup } from "../images/lookup.ts";
import type { Hidden, Plan } from "../plan/index.ts";
import type { PublishedSnapshot } from "../snapshot/index.ts";

export interface SiteOptions {
  readonly stateDir: string;
  /** Quotes on a listing page. */
  readonly perPage: number;
  /** Quotes with a page of their own; 20,000 by default. */
  readonly quotePages?: number;
  /** Quotes with a page to embed; 0 by default. */
  readonly embeds?: number;
  /** Quotes that a tag must have to get a listing; 1 by default. */
  readonly minTagQuotes?: number;
  /** Code of the language of pages that belong to none. */
  readonly language: string;
  /** The day of the build, `YYYY-MM-DD`, UTC. */
  readonly date: string;
  /** What no page shows; default nothing. */
  readonly hidden?: Hidden;
  /** Default: no quote has a picture. The site closes it. */
  readonly pictures?: PictureLookup;
}

export interface Sources extends SiteOptions {
  readonly snapshot: PublishedSnapshot;
  readonly plan: Plan;
}
