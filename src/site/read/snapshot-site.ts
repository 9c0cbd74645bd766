/**
 * The reader of a snapshot and its catalogue. A listing page costs one row of the catalogue and one of the snapshot
 * for each card.
 */
import type { CardMaker } from "./cards.ts";
import { everyCard } from "./every-card.ts";
import { aboutOf, lastBuildOf, summaryOf } from "./facts.ts";
import { authorsOf, initialOf, languageCounts, largest, relatedTo } from "./indexes.ts";
import { idsOfDay, listingOf, pathsOf, quotesOn } from "./listings.ts";
import { plannedPages } from "./planned.ts";
import type { SiteReader } from "../reader.ts";
import type * as Shown from "../types.ts";
import type { Catalogue } from "../../catalogue/read/open.ts";
import type { Part } from "../../contract/part.ts";
import type { PublishedSnapshot } from "../../contract/snapshot.ts";
import type { PictureLookup } from "../../images/lookup.ts";

/** How much of each the home page shows. */
const HOME = { quotes: 12, tags: 48, authors: 48 };

export interface SiteParts {
  readonly snapshot: PublishedSnapshot;
  readonly catalogue: Catalogue;
  readonly pictures: Pick<PictureLookup, "lastRun" | "close"> | undefined;
  readonly stateDir: string;
  readonly cards: CardMaker;
  readonly perPage: number;
  readonly language: string;
  readonly date: string;
}

export class SnapshotSite implements SiteReader {
  readonly #parts: SiteParts;

  constructor(parts: SiteParts) {
    this.#parts = parts;
  }

  summary(): Shown.Summary {
    return summaryOf(this.#parts.snapshot, this.#parts.catalogue);
  }

  about(): Shown.AboutPage {
    return aboutOf(this.#parts.snapshot, this.#parts.catalogue);
  }

  lastBuild(): Shown.BuildPage {
    const { snapshot, catalogue, pictures, stateDir } = this.#parts;
    const counts = pictures?.lastRun() ?? { shown: 0, reasons: {} };
    return lastBuildOf(snapshot, catalogue, counts, stateDir);
  }

  home(): Shown.HomePage {
    const { catalogue } = this.#parts;
    return {
      summary: this.summary(),
      top: this.top(HOME.quotes),
      languages: this.languages(),
      tags: largest(catalogue, "tag", HOME.tags),
      authors: largest(catalogue, "author", HOME.authors),
    };
  }

  today(date = this.#parts.date): Shown.TodayPage {
    const ids = idsOfDay(this.#parts, this.languages(), date);
    return { date, cards: this.#read(ids) };
  }

  day(): string {
    return this.#parts.date;
  }

  listingPaths(kind: Shown.ListingKind): Shown.ListingPath[] {
    return pathsOf(this.#parts.catalogue, kind);
  }

  listing(kind: Shown.ListingKind, slug: string, page: number): Shown.ListingPage {
    return listingOf(this.#parts, kind, slug, page);
  }

  related(kind: Shown.ListingKind, slug: string): Shown.Related {
    return relatedTo(this.#parts.catalogue, kind, slug);
  }

  tags(): Shown.TermCount[] {
    return largest(this.#parts.catalogue, "tag");
  }

  languages(): Shown.LanguageCount[] {
    return languageCounts(this.#parts.catalogue);
  }

  mostQuoted(count: number): Shown.TermCount[] {
    return largest(this.#parts.catalogue, "author", count);
  }

  authors(): Shown.AuthorsPage {
    return authorsOf(this.#parts.catalogue);
  }

  initialPaths(): Shown.ListingPath[] {
    return pathsOf(this.#parts.catalogue, "initial");
  }

  initial(slug: string, page: number): Shown.InitialPage {
    return initialOf(this.#parts.catalogue, slug, page);
  }

  top(count: number): Shown.CardData[] {
    return this.#read(this.#parts.catalogue.top().slice(0, count));
  }

  card(id: number): Shown.CardData | undefined {
    const quote = this.#parts.snapshot.quote(id);
    const planned = this.#parts.catalogue.card(id);
    if (quote === undefined || planned === undefined) return undefined;
    return this.#parts.cards.card(quote, planned.digest.toString("latin1"), planned.authorPage);
  }

  everyCard(
    part: Part,
    isKept: (digest: string) => boolean,
  ): Iterable<readonly [digest: string, card: Shown.CardData | null]> {
    return everyCard(this.#parts, part, isKept);
  }

  curated(id: number): boolean | null {
    return this.#parts.snapshot.isCurated(id);
  }

  quotePaths(): Shown.QuotePath[] {
    return Array.from(this.#parts.catalogue.cards());
  }

  pages(): Iterable<Shown.PlannedPage> {
    return plannedPages(this, this.#parts.catalogue);
  }

  quotesOn(page: Shown.PlannedPage): readonly number[] | null {
    return quotesOn(this.#parts.catalogue, page);
  }

  close(): void {
    this.#parts.catalogue.close();
    this.#parts.pictures?.close();
    this.#parts.snapshot.close();
  }

  #read(ids: readonly number[]): Shown.CardData[] {
    return ids.map((id) => this.card(id)).filter((card) => card !== undefined);
  }
}
