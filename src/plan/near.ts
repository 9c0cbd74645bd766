/**
 * Where a page of a listing stands among all pages, from 0 up to 1.
 *
 * Every listing has the most liked quotes first, so the second of four pages of one holds the quotes that stand around
 * the second quarter of any other. Machines that share a site out by this number each render fewer cards: of a hundred
 * thousand quotes' site the fourth part holds half of the cards, where a fourth dealt out by name holds three quarters.
 */
import { fraction } from "../contract/hash.ts";

export interface PlaceInListing {
  readonly slug: string;
  /** From 1. */
  readonly page: number;
  readonly pages: number;
}

/** Pages of one number in many listings are spread over their share, and a listing of one page anywhere. */
export function nearOf({ slug, page, pages }: PlaceInListing): number {
  return (page - 1 + fraction(slug)) / pages;
}
