/**
 * Checks what pages say of quotes (docs/walk.md, section 4): a page may have the right keys and false contents. It is compared
 * with what is published, or in a first harvest with the rows that it shares with the window before.
 */
import { BudgetSpent } from "../contract/ledger.ts";
import type { Quote } from "../contract/quote.ts";
import type { ServedPage, Window } from "../contract/window.ts";
import type { Run } from "../snapshot/index.ts";
import { getOrCompute } from "../util/get-or-compute.ts";
import { isDamaged, looksDamaged } from "../util/damage.ts";
import { counted } from "../util/text.ts";
import {
  areAlike,
  areNear,
  byKey,
  differs,
  FIELD_NAMES,
  FIELDS,
  isNear,
  isRewritten,
  isSame,
  kindOf,
  LEAST_CHANGED,
  LEAST_TEXTS,
  verdictOn,
  type Field,
  type Pair,
} from "./changes.ts";
import { Contested } from "./contested.ts";

/** Most answers for one page, where no two agree. */
const MOST_ANSWERS = 4;
/** Answers to one request that are believed where they agree. */
const ENOUGH_ALIKE = 2;
/** Answers without doubt that show that a new quote of a doubtful page is not there. */
const ENOUGH_SOUND = 2;
/** Second answers of a run: a few, and a share of its pages. */
const LEAST_ASKED = 8;
const ASKED_SHARE = 0.03;
/** Unknown quotes of a page that look damaged, for which another answer is wanted. */
const LEAST_DAMAGED = 2;
/** Pages of such quotes that two answers agree on, after which the collection is like that. */
const ENOUGH_DAMAGED = 3;
/** Keys that a remark names. */
const NAMED = 5;
/** State of a harvest over several runs: the doubtful pages that one of them left to the next. */
const LEFT = "doubtful pages left";

interface Doubt {
  readonly pairs: readonly Pair[];
  /** Fields that changed in too many published quotes. */
  readonly fields: readonly Field[];
  /** Other quotes that this run has stored with other values, as they are stored. */
  readonly differing: readonly Quote[];
  /** Whether quotes of which nothing is known look damaged. */
  readonly looksBad: boolean;
}

const changedIn = ({ pairs, fields }: Doubt): Pair[] =>
  pairs.filter((pair) => fields.some((field) => differs(field, pair)));

/**
 * Asks for the page at an offset by another address; null where no answer comes.
 *
 * @throws {BudgetSpent} when the run has no request left
 */
export type AskAgain = (offset: number) => Promise<ServedPage | null>;

export interface ContentsOptions {
  readonly store: Run;
  /** The published form of a quote of this service. */
  readonly published: (id: number) => Quote | undefined;
  /** Sends one request at a time from then on. */
  readonly narrow: () => void;
}

/** Keys of a page that stand between rows of another answer, which may begin elsewhere in a list that has changed. */
function idsAround({ offset, quotes }: ServedPage, answer: ServedPage): Set<number> {
  const others = byKey(answer.quotes);
  const shared = quotes.flatMap(({ id }, at) => (others.has(id) ? at : []));
  const first = offset === 0 ? -1 : Math.min(...shared);
  const last = Math.max(...shared);
  return new Set(quotes.flatMap(({ id }, at) => (first < at && at < last ? id : [])));
}

export class Contents {
  readonly #options: ContentsOptions;
  readonly #contested: Contested;
  /** Kinds of changes that two answers have shown. */
  readonly #believed = new Set<string>();
  /** Keys whose published values stay, by field. */
  readonly #kept = new Map<Field, Set<number>>();
  /** Published quotes as two answers of this run have shown them, where much had changed. */
  readonly #agreed = new Map<number, Quote>();
  #pages = 0;
  /** Pages on whose damaged texts two answers agreed. */
  #damaged = 0;
  #hasNews = false;
  #asked = 0;
  /** Why nothing more is asked in this run; null while it may be. */
  #spent: BudgetSpent | null = null;

  constructor(options: ContentsOptions) {
    this.#options = options;
    this.#contested = new Contested(options.store, options.published);
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
    const still = [...this.#kept].filter(([, ids]) => ids.size > 0);
    const kept = still.map(
      ([field, ids]) =>
        `${field} of ${counted(ids.size, "quote")} changed in one answer and not in another: the published value stays (${named(ids, ids.size)})`,
    );
    const { twoTexts } = this.#options.store;
    if (twoTexts.size === 0) return kept;
    const doubled = `${counted(twoTexts.size, "key")} came with two texts: the published one stays, else the one that came more often (${named(twoTexts, twoTexts.size)})`;
    return [...kept, doubled];
  }

  /**
   * Checks a page, and requests it again where it changes too much: until an answer changes little, or two agree. Where none do,
   * the published values stay.
   *
   * @param list name of the list's filter
   * @param shown answers to the same request that were had already
   * @throws {BudgetSpent} when the run has no request left for a second answer: the page is left to the next run
   */
  async check(
    page: ServedPage,
    list: string,
    again: AskAgain,
    shown: readonly ServedPage[] = [],
  ): Promise<ServedPage> {
    this.#pages++;
    this.#contested.meet(page);
    const doubt = this.#doubtOf(page);
    const alike = Math.max(1, shown.filter((one) => areAlike(page, one)).length);
    if (doubt === null) {
      this.#contested.count(page, alike);
      // Of what two answers showed, a third may show what is published.
      if (this.#agreed.size > 0) await this.#correctEarlier(page, null, list, again);
      return page;
    }
    if (this.#areRepeats(page, doubt, list)) return this.#keepFirst(page, doubt);
    this.#contested.compare(doubt.differing);
    // Keys that came otherwise in this run may have two texts each.
    if (doubt.differing.length === 0 && alike >= ENOUGH_ALIKE) {
      this.#contested.count(page, alike);
      return this.#take(page, doubt, list, again);
    }
    /** How often each answer came. */
    const answers = new Map([[page, alike]]);
    const sound: ServedPage[] = [];
    for (let asked = 1; asked < MOST_ANSWERS; asked++) {
      const other = await this.#ask(again, page.offset);
      if (other === null) continue;
      const doubtful = [...answers.keys()].filter((one) => !sound.includes(one));
      const agreeing = doubtful.find((one) => areAlike(one, other));
      answers.set(other, 1);
      if (this.#doubtOf(other) === null) {
        this.narrow();
        sound.push(other);
        const isEnough = sound.length >= ENOUGH_SOUND || this.#addedBy(page, sound).size === 0;
        if (isEnough) break;
      } else if (agreeing !== undefined) {
        if (agreeing !== page) this.narrow();
        this.#count(answers, [agreeing]);
        return this.#take(agreeing, this.#doubtOf(agreeing) ?? doubt, list, again);
      }
    }
    this.#count(answers, sound);
    if (sound.length > 0) return this.#takeOthers(page, sound, doubt);
    if (answers.size > 1) this.narrow();
    else this.#leave(`${list} ${page.offset}`);
    return this.#keepPublished(page, doubt);
  }

  /** Counts the versions of all answers but those that a believed one contradicts. */
  #count(answers: ReadonlyMap<ServedPage, number>, believed: readonly ServedPage[]): void {
    for (const [answer, times] of answers) {
      const isContradicted = believed.some((one) => verdictOn(answer, one) === "contradicts");
      if (!isContradicted) this.#contested.count(answer, times);
    }
  }

  /** Leaves a page of the last request to the next run, once: a run of few requests might never have one for a second answer. */
  #leave(place: string): void {
    if (this.#spent === null) return;
    const { store } = this.#options;
    const places = store.state<{ places: string[] }>(LEFT)?.places ?? [];
    if (places.includes(place)) return;
    store.saveState(LEFT, { places: [...places, place] });
    throw this.#spent;
  }

  /** Whether all that a page changes are quotes that another part of the list has shown: a join shows each of their texts. */
  #areRepeats(page: ServedPage, doubt: Doubt, list: string): boolean {
    const end = page.offset + page.quotes.length + page.quarantined.length;
    const isElsewhere = (id: number): boolean => {
      const earlier = this.#options.store.windowWith(list, id);
      if (earlier === undefined) return false;
      return earlier.offset + earlier.got <= page.offset || earlier.offset >= end;
    };
    const changed = changedIn(doubt);
    return changed.length > 0 && changed.every(({ now }) => isElsewhere(now.id));
  }

  /** Keeps what is known of quotes that a list shows more than once. */
  #keepFirst(page: ServedPage, doubt: Doubt): ServedPage {
    const known = new Map(changedIn(doubt).map(({ now, before }) => [now, before]));
    for (const { id } of known.keys()) {
      this.#contested.addTwin(id);
      this.#options.store.twoTexts.add(id);
    }
    return { ...page, quotes: page.quotes.map((now) => known.get(now) ?? now) };
  }

  /** Takes what two answers agree on. */
  async #take(
    page: ServedPage,
    believed: Doubt,
    list: string,
    again: AskAgain,
  ): Promise<ServedPage> {
    this.#hasNews ||= believed.fields.includes("text") || believed.differing.length > 0;
    this.#believe(believed);
    if (believed.looksBad) this.#damaged++;
    for (const quote of page.quotes)
      if (this.#options.published(quote.id) !== undefined) this.#agreed.set(quote.id, quote);
    this.#giveUp(page);
    await this.#correctEarlier(page, this.#doubtOf(page), list, again);
    return page;
  }

  /** The form of a quote that two answers of this run have shown, else the published one. */
  #known(id: number): Quote | undefined {
    return this.#agreed.get(id) ?? this.#options.published(id);
  }

  /** Once all lists are read: as `Contested.settle()`. */
  settle(): number {
    return this.#contested.settle();
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
      const before = this.#known(now.id);
      // A text that has its letters again is no false one.
      const isNews = before !== undefined && !isDamaged(before.text, now.text);
      return isNews ? [{ before, now }] : [];
    });
    const isOrdinary = FIELD_NAMES.every((field) => !this.#isDoubtful(field, published));
    const pairs = isOrdinary ? published : this.#withStored(published);
    const fields = isOrdinary ? [] : FIELD_NAMES.filter((field) => this.#isDoubtful(field, pairs));
    const known = new Set(pairs.map(({ now }) => now.id));
    const fresh = page.quotes.filter(({ id }) => !known.has(id));
    const stored = this.#options.store.quotesOf(fresh.map(({ id }) => id));
    const others = byKey(fresh);
    const differing = stored.filter((before) => !areNear(before, others.get(before.id) ?? before));
    const shown = byKey(stored);
    const unknown = fresh.filter(({ id }) => !shown.has(id));
    const looksBad = this.#damaged < ENOUGH_DAMAGED && areDamaged(unknown);
    const isFalse = fields.length > 0 || differing.length > 0 || arePlaceholders(unknown);
    return isFalse || looksBad ? { pairs, fields, differing, looksBad } : null;
  }

  /** Compares with what this run has stored, where it has: another answer has shown it, and was checked. */
  #withStored(pairs: readonly Pair[]): Pair[] {
    const stored = byKey(this.#options.store.quotesOf(pairs.map(({ now }) => now.id)));
    return pairs.map(({ before, now }) => ({ before: stored.get(now.id) ?? before, now }));
  }

  #isDoubtful(field: Field, pairs: readonly Pair[]): boolean {
    const changed = pairs.filter((pair) => differs(field, pair));
    const least = field === "text" ? LEAST_TEXTS : LEAST_CHANGED;
    return isRewritten(field, changed, pairs, least) && !this.#believed.has(kindOf(field, changed));
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

  /** Reads an earlier window again of which a page contradicts a row: where that agrees with the page now, it is replaced. */
  async #correctEarlier(
    page: ServedPage,
    doubt: Doubt | null,
    list: string,
    again: AskAgain,
  ): Promise<void> {
    const { store } = this.#options;
    const first = this.#contradictedBy(page, doubt);
    if (first === undefined) return;
    const earlier = store.windowWith(list, first.id);
    if (earlier === undefined) return store.replaceQuotes(page.quotes);
    if (earlier.offset === page.offset) return this.#replace(earlier, page);
    const rows = byKey(page.quotes);
    const stored = store.quotesOf(earlier.pks);
    const others: ServedPage[] = [];
    for (let asked = 0; asked < MOST_ANSWERS; asked++) {
      const before = await this.#ask(again, earlier.offset);
      const row = before?.quotes.find(({ id }) => id === first.id);
      if (before === null) continue;
      if (row === undefined) {
        // It has moved: the other rows of the window show whether it was false.
        if (verdictOn({ quotes: stored }, before) !== "contradicts") continue;
        if (others.some((one) => areAlike(one, before))) return this.#replace(earlier, before);
        others.push(before);
        continue;
      }
      if (areNear(row, first)) return;
      if (areNear(row, rows.get(first.id) ?? row)) return this.#replace(earlier, before);
    }
    // Its rows have moved, and what is published of them stays.
    if (this.#options.published(first.id) !== undefined) this.#replace(earlier, page);
  }

  /** A row of an earlier window that a page contradicts: of a quote that is not published, or is as the page has it. */
  #contradictedBy(page: ServedPage, doubt: Doubt | null): Quote | undefined {
    const { store, published } = this.#options;
    const [unpublished] = doubt?.differing ?? [];
    if (unpublished !== undefined) return unpublished;
    const rows = byKey(page.quotes);
    return store.quotesOf([...rows.keys()]).find((stored) => {
      const [row, before] = [rows.get(stored.id), published(stored.id)];
      if (row === undefined || before === undefined || this.#contested.isTwin(stored.id))
        return false;
      return areNear(row, before) && !areNear(row, stored);
    });
  }

  /**
   * Replaces the rows of an earlier window by another answer. Where that contradicts the window, the window shows nothing of the
   * quotes that it alone has: what is known otherwise counts.
   */
  #replace({ pks }: Window, answer: ServedPage): void {
    const { store } = this.#options;
    const stored = store.quotesOf(pks);
    const isFalse = verdictOn({ quotes: stored }, answer) === "contradicts";
    store.replaceQuotes(answer.quotes);
    for (const { id } of answer.quotes) this.#agreed.delete(id);
    if (!isFalse) return;
    const shown = byKey(answer.quotes);
    this.#contested.takeBack(stored.filter(({ id }) => !shown.has(id)));
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
   * A row that they lack, and that is not published, is left out; where two of them have rows on both sides of it, it is not there.
   */
  #takeOthers(page: ServedPage, sound: readonly ServedPage[], { fields }: Doubt): ServedPage {
    const others = byKey(sound.flatMap(({ quotes }) => quotes));
    const around = sound.map((one) => idsAround(page, one));
    const left = new Set(
      [...this.#addedBy(page, sound)].filter(
        (id) => around.filter((ids) => ids.has(id)).length >= ENOUGH_SOUND,
      ),
    );
    const unproved: number[] = [];
    const quotes = page.quotes.flatMap((now) => {
      if (left.has(now.id)) return [];
      const answer = others.get(now.id) ?? this.#known(now.id);
      if (answer === undefined) {
        unproved.push(now.id);
        return [];
      }
      for (const field of fields) if (!isNear(field, now, answer)) this.#noteKept(field, now.id);
      return [answer];
    });
    this.#contested.leaveOut(unproved);
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

  /** Replaces stored values that an earlier page only kept. */
  #giveUp({ quotes }: ServedPage): void {
    const kept = [...this.#kept.values()];
    const single = quotes.filter(({ id }) => !this.#contested.isTwin(id));
    this.#options.store.replaceQuotes(single.filter(({ id }) => kept.some((ids) => ids.has(id))));
    for (const ids of kept) for (const { id } of single) ids.delete(id);
  }

  #noteKept(field: Field, id: number): void {
    getOrCompute(this.#kept, field, () => new Set<number>()).add(id);
  }

  /** Asks for a page once more, within the budget of such requests. */
  async #ask(again: AskAgain, offset: number): Promise<ServedPage | null> {
    const allowed = Math.max(LEAST_ASKED, this.#pages * ASKED_SHARE);
    if (this.#asked >= allowed) return null;
    this.#asked++;
    try {
      return await again(offset);
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      this.#spent = error;
      return null;
    }
  }
}

/** Whether most of the quotes that nothing is known of have one text, as on a page that is still loading. */
function arePlaceholders(unknown: readonly Quote[]): boolean {
  const alike = Map.groupBy(unknown, ({ text }) => text).values();
  const most = Math.max(0, ...alike.map(({ length }) => length));
  return most >= LEAST_CHANGED && most * 2 > unknown.length;
}

const areDamaged = (unknown: readonly Quote[]): boolean =>
  unknown.filter(({ text }) => looksDamaged(text)).length >= LEAST_DAMAGED;
