/**
 * A collection that is drawn like real ones, to see what a site of any size would cost before a quote of it exists.
 *
 * The proportions are those of 190,340 public quotes in 45 languages; a test compares them. The costs are measured, on one
 * core of a machine of November 2026; they scale with the number of quotes or pages.
 */
import type { SiteShape, SiteSize } from "./size.ts";

const REAL = {
  quotes: 190_340,
  authors: 42_704,
  tags: 185,
  /** Tags on a quote, in the mean. */
  tagged: 0.87,
  /** Share of the quotes without author. */
  unattributed: 0.06,
  textBytes: 141,
  /** Authors grow by this power of the quotes, tags more slowly. */
  growth: { authors: 0.71, tags: 0.3 },
};

/** Quotes of each language, largest first. */
const LANGUAGES = [
  ...[116_369, 15_548, 15_461, 12_166, 9_461, 5_194, 3_739, 3_362, 2_625, 1_607, 632, 606, 597],
  ...[283, 264, 262, 261, 221, 171, 154, 145, 136, 102, 102, 100, 89, 77, 67, 60, 52, 50, 48, 43],
  ...[29, 27, 27, 26, 26, 25, 24, 24, 23, 22, 17, 16],
];

export function drawnShape(quotes: number): SiteShape {
  const factor = quotes / REAL.quotes;
  // Of a thousand real quotes, 768 have an author of their own.
  const many = Math.min(quotes * 0.768, REAL.authors * factor ** REAL.growth.authors);
  const authors = Math.max(1, Math.round(many));
  const tags = Math.max(1, Math.round(REAL.tags * factor ** REAL.growth.tags));
  const unattributed = Math.round(quotes * REAL.unattributed);
  return {
    quotes,
    textBytes: REAL.textBytes,
    terms: {
      author: [unattributed, ...byRank(authors, quotes - unattributed, 20, 1)],
      tag: byRank(tags, quotes * REAL.tagged, 10, 2.2),
      language: LANGUAGES.map((own) => Math.round(own * factor)).filter((own) => own > 0),
    },
    initials: new Array<number>(40).fill(authors / 40),
    pictures: 0,
    spoken: 14,
  };
}

/** Sizes that fall with a power of the rank, each at least 1, which add up to `sum`. */
function byRank(count: number, sum: number, shift: number, power: number): number[] {
  const weights = Array.from({ length: count }, (_, rank) => (rank + shift) ** -power);
  const spare = Math.max(0, Math.round(sum) - count);
  const total = weights.reduce((all, weight) => all + weight, 0);
  let reached = 0;
  return weights.map((weight) => {
    const before = Math.round((reached / total) * spare);
    reached += weight;
    return 1 + Math.round((reached / total) * spare) - before;
  });
}

/** Of processor time, in seconds. */
const SECONDS = { start: 3, quote: 0.0011, changedNight: 0.00073, page: 0.000_34 };

export interface BuildCost {
  /** Requests of a whole harvest. */
  readonly requests: number;
  /** Minutes of one core: from nothing, on the longest of four machines, and in a night of 1 % changed. */
  readonly minutes: Readonly<Record<"first" | "quarter" | "night", number>>;
  /** Of the largest process, in GB: of the render, or of Pagefind with the largest language. */
  readonly memoryGb: number;
  /** Pages that 1 % of changed quotes rewrite. */
  readonly rewritten: number;
}

/** @param pageSize quotes of one answer of the service */
export function costOf(
  { quotes, terms }: SiteShape,
  { pages }: SiteSize,
  { perPage, pageSize }: { readonly perPage: number; readonly pageSize: number },
): BuildCost {
  const all = Object.values(pages).reduce((sum, number) => sum + number, 0);
  const rendering = all * SECONDS.page;
  const first = SECONDS.start + quotes * SECONDS.quote;
  const listed = [...terms.author, ...terms.tag, ...terms.language];
  /** A page with so many quotes is rewritten unless all of them stay. */
  const changed = (own: number): number => 1 - 0.99 ** Math.min(own, perPage);
  const rewritten = listed.reduce((sum, own) => sum + Math.ceil(own / perPage) * changed(own), 0);
  return {
    requests: Math.ceil(quotes / pageSize),
    minutes: {
      first: first / 60,
      // The other stages run on one machine, after the pages are merged.
      quarter: (first - (rendering * 3) / 4) / 60,
      night: (SECONDS.start + quotes * SECONDS.changedNight) / 60,
    },
    memoryGb: Math.max(0.56 + quotes * 1.29e-6, Math.max(0, ...terms.language) * 1e-5),
    rewritten: Math.round(rewritten + pages.quote / 100),
  };
}
