/**
 * Quotes on which answers of one harvest contradict each other (docs/walk.md, section 4): which versions came, and how often, and
 * of which quotes only a contradicted answer was had.
 */
import type { Quote } from "../contract/quote.ts";
import type { ServedPage } from "../contract/window.ts";
import type { Run } from "../snapshot/index.ts";
import { isDamaged } from "../util/damage.ts";
import { getOrCompute } from "../util/get-or-compute.ts";
import { byKey, versionOf } from "./changes.ts";

/** State of a harvest over several runs: the quotes of which only a contradicted answer was had. */
const UNPROVED = "quotes of contradicted answers alone";

interface Version {
  readonly quote: Quote;
  /** Answers that showed it. */
  readonly shown: number;
}

/** Of a text that lost letters, the whole one counts. */
function mostShown(versions: ReadonlyMap<string, Version> | undefined): Version | undefined {
  const all = [...(versions?.values() ?? [])];
  const isWhole = ({ quote }: Version): boolean =>
    !all.some((other) => isDamaged(quote.text, other.quote.text));
  return all.filter(isWhole).toSorted((a, b) => b.shown - a.shown)[0];
}

export class Contested {
  readonly #store: Run;
  readonly #published: (id: number) => Quote | undefined;
  /** Of quotes that are not published and came in two versions: how many answers showed each. The first came from the store. */
  readonly #versions = new Map<number, Map<string, Version>>();
  /** Keys that came twice in one list, as from a join: each of their texts is true. */
  readonly #twins = new Set<number>();
  /** What is published of these is stored until the next answer, and nothing of the others. */
  readonly #unproved: Set<number>;

  /** @param published the published form of a quote of this service */
  constructor(store: Run, published: (id: number) => Quote | undefined) {
    this.#store = store;
    this.#published = published;
    this.#unproved = new Set(store.state<{ ids: number[] }>(UNPROVED)?.ids);
  }

  isTwin(id: number): boolean {
    return this.#twins.has(id);
  }

  addTwin(id: number): void {
    this.#twins.add(id);
  }

  /** Takes a page that is about to be checked: what it has twice, and what it has of quotes that no sound answer showed. */
  meet({ quotes }: ServedPage): void {
    const seen = new Set<number>();
    for (const { id } of quotes) {
      if (seen.has(id)) this.#twins.add(id);
      seen.add(id);
    }
    const doubted = quotes.filter(({ id }) => this.#unproved.has(id));
    if (doubted.length === 0) return;
    const stored = this.#store.quotesOf(doubted.map(({ id }) => id));
    this.#store.replaceQuotes(doubted);
    // What is not stored may be on a page that is only compared.
    this.#prove(stored);
  }

  /** Begins to count the versions of stored quotes that an answer shows otherwise. */
  compare(stored: readonly Quote[]): void {
    for (const quote of stored) {
      const first: [string, Version] = [versionOf(quote), { quote, shown: 1 }];
      getOrCompute(this.#versions, quote.id, () => new Map([first]));
    }
  }

  /** Counts what some answers show alike, for each quote that came in several versions. What others contradict is not counted. */
  count({ quotes }: ServedPage, answers: number): void {
    for (const quote of quotes) {
      const versions = this.#versions.get(quote.id);
      if (versions === undefined) continue;
      const name = versionOf(quote);
      versions.set(name, { quote, shown: (versions.get(name)?.shown ?? 0) + answers });
    }
  }

  /** Notes quotes of which only an answer was had that others contradict. */
  leaveOut(ids: readonly number[]): void {
    if (ids.length === 0) return;
    for (const id of ids) this.#unproved.add(id);
    this.#save();
  }

  /**
   * Stores what is known otherwise of the quotes that only a contradicted window has, and nothing of those of which nothing else is
   * known.
   */
  takeBack(quotes: readonly Quote[]): void {
    const unproved = quotes.filter((quote) => {
      const versions = this.#versions.get(quote.id);
      versions?.delete(versionOf(quote));
      const known = this.#published(quote.id);
      const other = known ?? mostShown(versions)?.quote;
      if (other === undefined) this.#store.removeQuote(quote.id);
      else this.#store.replaceQuotes([other]);
      return known !== undefined || other === undefined;
    });
    this.leaveOut(unproved.map(({ id }) => id));
  }

  /**
   * Stores of each quote in several versions one that more answers showed, once all lists are read.
   *
   * @returns how many quotes, not published and not stored, only answers showed that others contradict
   */
  settle(): number {
    const several = [...this.#versions.keys()].filter((id) => !this.#twins.has(id));
    const better = this.#store.quotesOf(several).flatMap((stored) => {
      const versions = this.#versions.get(stored.id);
      const shown = versions?.get(versionOf(stored))?.shown ?? 0;
      const most = mostShown(versions);
      const isBetter =
        most !== undefined && (most.shown > shown || isDamaged(stored.text, most.quote.text));
      return isBetter ? [most.quote] : [];
    });
    this.#store.replaceQuotes(better);
    this.#prove(better);
    this.#versions.clear();
    const ids = [...this.#unproved];
    const stored = byKey(this.#store.quotesOf(ids));
    return ids.filter((id) => !stored.has(id) && this.#published(id) === undefined).length;
  }

  #prove(quotes: readonly Quote[]): void {
    if (quotes.length === 0) return;
    for (const { id } of quotes) this.#unproved.delete(id);
    this.#save();
  }

  #save(): void {
    this.#store.saveState(UNPROVED, { ids: [...this.#unproved] });
  }
}
