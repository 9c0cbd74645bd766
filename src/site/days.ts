/**
 * The quotes of the day. `days.json` in the state folder stores the ids that were shown on each day, since the choice
 * changes whenever the collection grows.
 */
import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { atomicWrite, onDisk } from "../files/disk.ts";
import { dayPath, type PlannedPage } from "../plan/index.ts";
import type { CardData, CardReads } from "./cards.ts";
import type { ListingReads } from "./listings.ts";
import type { Sources } from "./sources.ts";
import { parseJson } from "../contract/decode.ts";

/** Most days that have a page. */
export const MOST_DAYS = 366;

/** Most languages with a quote of the day: the largest. */
const MOST_CARDS = 50;

/** Days after the build's in the calendar file. */
const UPCOMING_DAYS = 30;

const FILE = "days.json";
const DAY_MS = 86_400_000;

const schema = z.record(z.iso.date(), z.array(z.int().min(1)));

type DaysByDate = ReadonlyMap<string, readonly number[]>;
type Reads = CardReads & ListingReads;

/** The quotes of a day: one for each of the largest languages. */
export interface Day {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
  readonly cards: readonly CardData[];
}

/** A day whose quotes were stored when the site was built on it. */
export interface DayPage extends Day {
  /** Whether the collection lost some of them. */
  readonly isMissing: boolean;
  /** The stored days before and after; null at the ends. */
  readonly previous: string | null;
  readonly next: string | null;
}

export type DayReads = ReturnType<typeof dayReads>;

export function dayReads({ plan, stateDir, language, date: day }: Sources, reads: Reads) {
  const { card, originalOf, languages, quoteIn } = reads;
  let known: DaysByDate | undefined;
  /** Without days in the future, from a build whose clock or `SITE_DATE` was ahead. */
  const all = (): DaysByDate =>
    (known ??= new Map([...readDays(stateDir)].filter(([date]) => date <= day)));
  const cardsOf = (date: string): CardData[] =>
    (all().get(date) ?? []).flatMap((id) => card(originalOf(id)) ?? []);
  return {
    today,
    dayPage,

    /** The day of the build, `YYYY-MM-DD`, UTC. */
    day: () => day,

    /** The days with a page, `YYYY-MM-DD`, oldest first. */
    days: (): string[] => [...all().keys()],

    /** The first quotes of the next days, for calendars, which read their file seldom. */
    upcoming: (): { date: string; card: CardData }[] =>
      Array.from({ length: UPCOMING_DAYS }, (_, days) => beside(day, days + 1)).flatMap((date) => {
        const [shown] = today(date, 1).cards;
        return shown === undefined ? [] : [{ date, card: shown }];
      }),

    /** The quotes of the day after this one, which begins in the east before a build of that day. */
    tomorrow: () => today(beside(day, 1)),

    /** A day near that of the build. @param days after it; negative for days before */
    dayBeside: (days: number): string => beside(day, days),

    /** Oldest first. */
    *dayPages(): Generator<PlannedPage, void, undefined> {
      for (const date of all().keys()) {
        const { cards, isMissing, previous, next } = dayPage(date);
        const shown = [isMissing, previous, next, cards.map((each) => each.cacheKey)];
        const cacheKey = hash("sha256", JSON.stringify(shown)).slice(0, 32);
        yield { kind: "day", path: dayPath(date), term: date, number: 1, cacheKey };
      }
    },

    /**
     * Stores the quotes of today, and deletes days that are over a year old.
     *
     * @throws {DiskError} when the file cannot be written
     */
    storeToday: (): void => {
      const { date, cards } = today();
      const first = new Date(Date.parse(date) - (MOST_DAYS - 1) * DAY_MS).toISOString();
      const kept = new Map([...readDays(stateDir)].filter(([each]) => each >= first.slice(0, 10)));
      const ids = cards.map(({ quote }) => quote.id);
      if (ids.length > 0) kept.set(date, ids);
      atomicWrite(join(stateDir, FILE), `${JSON.stringify(Object.fromEntries(kept))}\n`);
      known = undefined;
    },
  };

  /**
   * The quote of the day for each language.
   *
   * @param date `YYYY-MM-DD`; default: the day of the build, in UTC
   * @param most languages
   * @param first code of the language whose quote comes first; default: the site's
   * @returns after it the largest
   */
  function today(date = day, most = MOST_CARDS, first = language): Day {
    // A code may have several spellings.
    const slugOf = ({ quote }: CardData) => plan.named("language", quote.language)?.slug;
    const kept = new Map(cardsOf(date).map((shown) => [slugOf(shown), shown]));
    const own = (slug: string): number => Number(slug === first);
    const cards = languages()
      .toSorted((a, b) => own(b.slug) - own(a.slug))
      .slice(0, most)
      .flatMap(({ slug, quotes }) => {
        const id = quoteIn("language", slug, placeOfDay(date, quotes));
        return kept.get(slug) ?? (id === undefined ? [] : (card(id) ?? []));
      });
    return { date, cards };
  }

  /**
   * The quotes of a stored day, and the neighbouring days.
   *
   * @returns `isMissing` if the collection no longer has some of the day's quotes
   * @throws {RangeError} when the day is not stored
   */
  function dayPage(date: string): DayPage {
    const ids = all().get(date);
    if (ids === undefined) throw new RangeError(`Cannot read the quotes of ${date}: none are kept`);
    const dates = [...all().keys()];
    const at = dates.indexOf(date);
    const cards = cardsOf(date);
    const isMissing = cards.length < ids.length;
    return { date, cards, isMissing, previous: dates[at - 1] ?? null, next: dates[at + 1] ?? null };
  }
}

/** The ids of each day's quotes, oldest day first; empty if the file is missing or unreadable. */
export function readDays(stateDir: string): DaysByDate {
  const path = join(stateDir, FILE);
  if (!existsSync(path)) return new Map();
  const text = onDisk("read", path, () => readFileSync(path, "utf8"));
  const days = Object.entries(schema.safeParse(parseJson(text)).data ?? {});
  return new Map(days.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The date some days after another; before it where they are negative. */
export function beside(date: string, days: number): string {
  return dayOf(new Date(Date.parse(date) + days * DAY_MS));
}

/** The day in UTC, `YYYY-MM-DD`. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/**
 * Chooses a day's quote among `count`.
 *
 * Each day advances by about 0.618 of `count`, by a step without a common divisor: each quote has its turn before any has
 * a second one, and neighbours in the list are far apart in time.
 *
 * @returns an index from 0
 * @throws {RangeError} when `date` is not a date
 */
export function placeOfDay(date: string, count: number): number {
  const at = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(at)) throw new RangeError(`Cannot choose a quote for ${date}: no such day`);
  if (count <= 1) return 0;
  const day = Math.floor(at / DAY_MS);
  return (((day * stepFor(count)) % count) + count) % count;
}

function stepFor(count: number): number {
  let step = Math.max(1, Math.round(count * 0.618));
  while (commonDivisor(step, count) !== 1) step++;
  return step;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
