/**
 * Checks what pages say of quotes (docs/walk.md, section 4): a page may have the right keys and false contents. It is compared
 * with what is published, or in a first harvest with the rows that it shares with the window before.
 */
import { isDeepStrictEqual } from "node:util";
import { servedTextOf, type Quote } from "../contract/quote.ts";
import type { ServedPage } from "../contract/window.ts";
import type { Run } from "../snapshot/index.ts";
import { getOrCompute } from "../util/get-or-compute.ts";
import { counted, printable } from "../util/text.ts";

/** Quotes of a page that may change a field without doubt: fewer than this number, and at most this share. */
const LEAST_CHANGED = 5;
/** The same for texts, which change rarely: a page of few published quotes, such as a slice, may be false too. */
const LEAST_TEXTS = 1;
const CHANGED_SHARE = 0.2;

/** Whether so many quotes of a page changed that a second answer is wanted. */
export const areTooManyChanged = (
  changed: number,
  of: number,
  least: number = LEAST_CHANGED,
): boolean => changed >= least && changed > of * CHANGED_SHARE;

/** Of the changed values, those that must be the same in a second answer, or of one kind. */
const AGREEING_SHARE = 0.9;
/** Most answers for one page, where no two agree. */
const MOST_ANSWERS = 4;
/** Answers without doubt that show that a new quote of a doubtful page is not there. */
const ENOUGH_SOUND = 2;
/** Second answers of a run: a few, and a share of its pages. */
const LEAST_ASKED = 4;
const ASKED_SHARE = 0.03;
/** Votes that may come between two windows. */
const FEW_VOTES = 2;
/** Keys that a remark names. */
const NAMED = 5;

const FIELDS = {
  text: { valueOf: servedTextOf, parts: ["text", "author", "served"] },
  // The text is cut where it ends in the author's name, so that both belong together.
  author: { valueOf: ({ author }: Quote) => author, parts: ["text", "author", "served"] },
  likes: { valueOf: ({ likes }: Quote) => likes, parts: ["likes"] },
  tags: { valueOf: ({ tags }: Quote) => tags, parts: ["tags"] },
  language: { valueOf: ({ language }: Quote) => language, parts: ["language"] },
  image: { valueOf: ({ image }: Quote) => image, parts: ["image"] },
} as const satisfies Readonly<
  Record<
    string,
    {
      valueOf: (quote: Quote) => string | number | null | readonly string[];
      parts: (keyof Quote)[];
    }
  >
>;

type Field = keyof typeof FIELDS;
const FIELD_NAMES = Object.keys(FIELDS) as Field[];

/** A quote as it is known, and as a page has it. */
interface Pair {
  readonly before: Quote;
  readonly now: Quote;
}

interface Doubt {
  readonly pairs: readonly Pair[];
  /** Fields that changed in too many published quotes. */
  readonly fields: readonly Field[];
  /** Keys of other quotes that this run has stored with other values. */
  readonly differing: readonly number[];
}

/** Asks for the page at an offset by another address; null where no answer comes. */
export type AskAgain = (offset: number) => Promise<ServedPage | null>;

export interface ContentsOptions {
  readonly store: Run;
  /** The published form of a quote of this service. */
  readonly published: (id: number) => Quote | undefined;
  /** Sends one request at a time from then on. */
  readonly narrow: () => void;
}

export class Contents {
  readonly #options: ContentsOptions;
  /** Kinds of changes that two answers have shown. */
  readonly #believed = new Set<string>();
  /** Keys whose published values stay, by field. */
  readonly #kept = new Map<Field, Set<number>>();
  #pages = 0;
  #hasNews = false;
  #asked = 0;

  constructor(options: ContentsOptions) {
    this.#options = options;
  }

  /** Two answers contradict each other: one may have been meant for another request. */
  narrow(): void {
    this.#options.narrow();
  }

  /** Whether texts have changed since this was asked last: two answers agree against what was known. */
  takeNews(): boolean {
    const has = this.#hasNews;
    this.#hasNews = false;
    return has;
  }

  /** What happened, for the report of the run. */
  get remarks(): string[] {
    const named = (ids: Iterable<number>, total: number): string =>
      [...ids].slice(0, NAMED).join(", ") + (total > NAMED ? ", …" : "");
    const kept = [...this.#kept].map(
      ([field, ids]) =>
        `${field} of ${counted(ids.size, "quote")} changed in one answer and not in another: the published value stays (${named(ids, ids.size)})`,
    );
    const { twoTexts } = this.#options.store;
    if (twoTexts.size === 0) return kept;
    const doubled = `${counted(twoTexts.size, "key")} came with two texts: the published or the first one stays (${named(twoTexts, twoTexts.size)})`;
    return [...kept, doubled];
  }

  /**
   * Checks a page, and requests it again where it changes too much: until an answer changes little, or two agree. Where none do,
   * the published values stay.
   *
   * @param list name of the list's filter
   */
  async check(page: ServedPage, list: string, again: AskAgain): Promise<ServedPage> {
    this.#pages++;
    const doubt = this.#doubtOf(page);
    if (doubt === null) return page;
    const answers = [page];
    const sound: ServedPage[] = [];
    for (let asked = 1; asked < MOST_ANSWERS; asked++) {
      const other = await this.#ask(again, page.offset);
      if (other === null) continue;
      if (this.#doubtOf(other) === null) {
        this.narrow();
        sound.push(other);
        const isEnough = sound.length >= ENOUGH_SOUND || this.#addedBy(page, sound).size === 0;
        if (isEnough) return this.#takeOthers(page, sound, doubt);
        continue;
      }
      const agreeing = answers.find((one) => areAlike(one, other));
      if (agreeing !== undefined) {
        if (agreeing !== page) this.narrow();
        const believed = this.#doubtOf(agreeing) ?? doubt;
        this.#hasNews ||= believed.fields.includes("text") || believed.differing.length > 0;
        this.#believe(believed);
        await this.#correctEarlier(agreeing, list, again);
        return agreeing;
      }
      answers.push(other);
    }
    if (sound.length > 0) return this.#takeOthers(page, sound, doubt);
    if (answers.length > 1) this.narrow();
    return this.#keepPublished(page, doubt);
  }

  /** Checks a page that is requested once: where it changes too much, its quotes stay as they are known. */
  checkSingle(page: ServedPage): ServedPage {
    const doubt = this.#doubtOf(page);
    if (doubt === null) return page;
    const kept = byKey(this.#keepPublished(page, doubt).quotes);
    // A value that is only kept must not be stored as one that was served: it would stand against a later answer.
    return { ...page, quotes: page.quotes.filter((now) => kept.get(now.id) === now) };
  }

  /** What a page changes of published quotes, and of others that this run has stored; null where that is ordinary. */
  #doubtOf(page: ServedPage): Doubt | null {
    const published = page.quotes.flatMap((now) => {
      const before = this.#options.published(now.id);
      return before === undefined ? [] : [{ before, now }];
    });
    const isOrdinary = FIELD_NAMES.every((field) => !this.#isDoubtful(field, published));
    const pairs = isOrdinary ? published : this.#withStored(published);
    const fields = isOrdinary ? [] : FIELD_NAMES.filter((field) => this.#isDoubtful(field, pairs));
    const known = new Set(pairs.map(({ now }) => now.id));
    const fresh = page.quotes.filter(({ id }) => !known.has(id));
    const stored = this.#options.store.quotesOf(fresh.map(({ id }) => id));
    const others = byKey(fresh);
    const differing = stored.filter((before) => !areNear(before, others.get(before.id) ?? before));
    if (fields.length === 0 && differing.length === 0) return null;
    return { pairs, fields, differing: differing.map(({ id }) => id) };
  }

  /** Compares with what this run has stored, where it has: another answer has shown it, and was checked. */
  #withStored(pairs: readonly Pair[]): Pair[] {
    const stored = byKey(this.#options.store.quotesOf(pairs.map(({ now }) => now.id)));
    return pairs.map(({ before, now }) => ({ before: stored.get(now.id) ?? before, now }));
  }

  #isDoubtful(field: Field, pairs: readonly Pair[]): boolean {
    const changed = pairs.filter((pair) => differs(field, pair));
    const least = field === "text" ? LEAST_TEXTS : LEAST_CHANGED;
    if (!areTooManyChanged(changed.length, pairs.length, least)) return false;
    if (field === "likes" && areVotes(pairs)) return false;
    return !this.#believed.has(kindOf(field, changed));
  }

  /** From now on, changes of these kinds need no second answer. */
  #believe({ fields, pairs }: Doubt): void {
    for (const field of fields) {
      this.#believed.add(
        kindOf(
          field,
          pairs.filter((pair) => differs(field, pair)),
        ),
      );
    }
  }

  /** Two answers contradict a row that an earlier window brought: where that window agrees with them now, it is replaced. */
  async #correctEarlier(page: ServedPage, list: string, again: AskAgain): Promise<void> {
    const { store } = this.#options;
    const [first] = this.#doubtOf(page)?.differing ?? [];
    if (first === undefined) return;
    const earlier = store.windowWith(list, first);
    if (earlier === undefined || earlier.offset === page.offset) {
      return store.replaceQuotes(page.quotes);
    }
    const rows = byKey(page.quotes);
    const stored = byKey(store.quotesOf([first]));
    for (let asked = 0; asked < MOST_ANSWERS; asked++) {
      const before = await this.#ask(again, earlier.offset);
      const row = before?.quotes.find(({ id }) => id === first);
      if (before === null || row === undefined) continue;
      if (areNear(row, stored.get(first) ?? row)) return;
      if (areNear(row, rows.get(first) ?? row)) return store.replaceQuotes(before.quotes);
    }
  }

  /** Replaces the values of a page that no second answer confirms by the published ones. */
  #keepPublished(page: ServedPage, { fields, pairs }: Doubt): ServedPage {
    const known = byKey(pairs.map(({ before }) => before));
    const quotes = page.quotes.map((now) => {
      const before = known.get(now.id);
      let kept = now;
      for (const field of fields) {
        if (before === undefined || isSame(field, now, before)) continue;
        this.#noteKept(field, now.id);
        const parts = FIELDS[field].parts.map((part) => [part, before[part]]);
        kept = { ...kept, ...(Object.fromEntries(parts) as Partial<Quote>) };
      }
      return kept;
    });
    return { ...page, quotes };
  }

  /**
   * Takes the rows of other answers, and what is published of those that they lack: the first answer may belong to other keys.
   * A row that two of them lack, and that is not published, is left out.
   */
  #takeOthers(page: ServedPage, sound: readonly ServedPage[], { fields }: Doubt): ServedPage {
    const others = byKey(sound.flatMap(({ quotes }) => quotes));
    const left = sound.length < ENOUGH_SOUND ? new Set<number>() : this.#addedBy(page, sound);
    const quotes = page.quotes.flatMap((now) => {
      if (left.has(now.id)) return [];
      const answer = others.get(now.id) ?? this.#options.published(now.id) ?? now;
      for (const field of fields) if (!isNear(field, now, answer)) this.#noteKept(field, now.id);
      return [answer];
    });
    return { ...page, quotes };
  }

  /** Keys of a doubtful page that are not published, and that no other answer has; the last one may be cut off there. */
  #addedBy({ quotes }: ServedPage, sound: readonly ServedPage[]): Set<number> {
    const others = byKey(sound.flatMap((one) => one.quotes));
    const ids = quotes.slice(0, -1).map(({ id }) => id);
    return new Set(
      ids.filter((id) => !others.has(id) && this.#options.published(id) === undefined),
    );
  }

  #noteKept(field: Field, id: number): void {
    getOrCompute(this.#kept, field, () => new Set<number>()).add(id);
  }

  /** Asks for a page once more, within the budget of such requests. */
  async #ask(again: AskAgain, offset: number): Promise<ServedPage | null> {
    const allowed = Math.max(LEAST_ASKED, this.#pages * ASKED_SHARE);
    if (this.#asked >= allowed) return null;
    this.#asked++;
    return again(offset);
  }
}

const byKey = (quotes: readonly Quote[]): Map<number, Quote> =>
  new Map(quotes.map((quote) => [quote.id, quote]));

function isSame(field: Field, one: Quote, other: Quote): boolean {
  const { valueOf } = FIELDS[field];
  return isDeepStrictEqual(valueOf(one), valueOf(other));
}

const differs = (field: Field, { before, now }: Pair): boolean => !isSame(field, before, now);

/** Whether two answers of one run agree, but for votes that came between them. */
function isNear(field: Field, one: Quote, other: Quote): boolean {
  if (field !== "likes") return isSame(field, one, other);
  return Math.abs(one.likes - other.likes) <= FEW_VOTES;
}

const areNear = (one: Quote, other: Quote): boolean =>
  FIELD_NAMES.every((field) => isNear(field, one, other));

/** Whether two answers to one request say the same of nearly all quotes that both hold. */
function areAlike(one: ServedPage, other: ServedPage): boolean {
  const others = byKey(other.quotes);
  const both = one.quotes.flatMap((quote) => {
    const answer = others.get(quote.id);
    return answer === undefined ? [] : [areNear(quote, answer)];
  });
  const same = both.filter(Boolean).length;
  return both.length * 2 > one.quotes.length && same >= both.length * AGREEING_SHARE;
}

/** Whether likes changed as by votes: less than they differ from each other. */
function areVotes(pairs: readonly Pair[]): boolean {
  const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
  const mean = sum(pairs.map(({ before }) => before.likes)) / pairs.length;
  const spread = sum(pairs.map(({ before }) => Math.abs(before.likes - mean)));
  const change = sum(pairs.map(({ before, now }) => Math.abs(now.likes - before.likes)));
  return change * 2 < spread;
}

/** What most changes have in common, so that the same change elsewhere needs no second answer. */
function kindOf(field: Field, changed: readonly Pair[]): string {
  const kinds = new Map<string, number>();
  for (const pair of changed) {
    const kind = changeOf(field, pair);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const [[kind, count] = ["", 0]] = [...kinds].toSorted(([, a], [, b]) => b - a);
  return `${field} ${count >= changed.length * AGREEING_SHARE ? kind : "various"}`;
}

/** Of tags, what came and went; of any other field, the new value. */
function changeOf(field: Field, { before, now }: Pair): string {
  if (field !== "tags") return printable(JSON.stringify(FIELDS[field].valueOf(now)), 200);
  const [old, fresh] = [new Set(before.tags), new Set(now.tags)];
  return JSON.stringify([[...old.difference(fresh)], [...fresh.difference(old)]]);
}
