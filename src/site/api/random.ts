/**
 * Small sets of quotes to choose from by chance.
 *
 * A quote's set follows from its pk alone, so the others stay as they are when quotes come and go. Quotes with a page of
 * their own take part: the most liked.
 */
import { randomSetCount } from "../../plan/extras.ts";
import type { SiteReader } from "../reader.ts";
import type { CardData } from "../types.ts";

/** Quotes of a set, at most. */
const MOST = 100;

/** How many sets there are: a power of two, which seldom changes. */
export function randomFiles(site: SiteReader): number {
  return setsOf(site).length;
}

/** The quotes of a set, from 0. */
export function randomSet(site: SiteReader, file: number): CardData[] {
  const ids = setsOf(site)[file] ?? [];
  return ids.map((id) => site.card(id)).filter((card) => card !== undefined);
}

/** What a set changes with. */
export function randomKey(site: SiteReader, file: number): string {
  return (setsOf(site)[file] ?? []).map((id) => digestsOf(site).get(id)).join();
}

const made = new WeakMap<SiteReader, { sets: number[][]; digests: Map<number, string> }>();

function setsOf(site: SiteReader): readonly (readonly number[])[] {
  return dealt(site).sets;
}

function digestsOf(site: SiteReader): ReadonlyMap<number, string> {
  return dealt(site).digests;
}

function dealt(site: SiteReader): { sets: number[][]; digests: Map<number, string> } {
  let known = made.get(site);
  if (known !== undefined) return known;
  const digests = new Map(site.quotePaths().map(({ id, digest }) => [id, digest]));
  const files = randomSetCount(digests.size);
  const sets = Array.from({ length: files }, (): number[] => []);
  for (const id of digests.keys()) {
    const set = sets[mix(id) % files];
    if (set !== undefined && set.length < MOST) set.push(id);
  }
  known = { sets, digests };
  made.set(site, known);
  return known;
}

/** Neighbours by pk are often of one author: they go to different sets. */
function mix(id: number): number {
  return Math.imul(id % 0x1_0000_0000, 0x9e37_79b1) >>> 8;
}
