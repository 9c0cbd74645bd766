/** The options and the sources of a site's reader. */
import type { AuthorsFile } from "../contract/author-facts.ts";
import type { Corrections } from "../contract/corrections.ts";
import type { PictureLookup } from "../images/lookup.ts";
import type { Corrector, Plan } from "../plan/index.ts";
import type { SiteConfig } from "../settings/site-config.ts";
import type { PublishedSnapshot } from "../snapshot/index.ts";

/** Defaults: 20,000 quotes have a page of their own, none has one to embed, each tag has a listing, nothing is hidden, copies are shown. */
export interface SiteOptions
  extends
    Pick<SiteConfig, "perPage" | "language">,
    Partial<
      Pick<
        SiteConfig,
        "quotePages" | "embeds" | "minTagQuotes" | "hidden" | "copies" | "attribution"
      >
    > {
  readonly stateDir: string;
  /** The day of the build, `YYYY-MM-DD`, UTC. */
  readonly date: string;
  /** Default: none. */
  readonly corrections?: Corrections;
  /** What the site says of authors; default: nothing. */
  readonly authors?: AuthorsFile;
  /** See `PlanSettings`; default true. */
  readonly related?: boolean;
  /** Default: no pictures. The reader closes it. */
  readonly pictures?: PictureLookup;
}

export interface Sources extends SiteOptions {
  readonly snapshot: PublishedSnapshot;
  readonly plan: Plan;
  /** Applies the corrections of the site. */
  readonly correct: Corrector["correct"];
}
