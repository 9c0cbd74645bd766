/**
 * Pages as they can be relied on: what is not whole is asked for again, and a record that makes the service fail is
 * gone round.
 */
import { PermanentAnswer, ServerFault, WalkFailed } from "../contract/refused-answer.ts";
import { ServiceUnavailable, StoppedEarly } from "../contract/errors.ts";
import type { Filter, ServedPage } from "../contract/window.ts";
import { concludes } from "./evidence.ts";
import type { HarvestContext } from "./context.ts";
import { orNull } from "./optional.ts";

/** Pages in a row that are empty though something is said to follow (docs/walk.md, section 4). */
const MOST_EMPTY_PAGES = 3;
/** Answers to one question that are looked at, where none is whole and no two agree. */
export const MOST_ANSWERS = 4;
/** Records in a run that make the service fail: more of them, and it is the service. */
const MOST_FAULTS = 20;

/** What services answer that refuse to go deep; at offset 0 the same answer means something else. */
const TOO_DEEP: ReadonlySet<number> = new Set([400, 404, 416, 422]);

export function isTooDeep(error: unknown): error is PermanentAnswer {
  return error instanceof PermanentAnswer && TOO_DEEP.has(error.status);
}

export const sizeOf = (page: ServedPage): number => page.quotes.length + page.quarantined.length;

/** Whether a page is whole: it brings all that it says it spans, and says whether more follows. */
export function isWhole(page: ServedPage): boolean {
  const spans = (page.next?.offset ?? 0) - page.offset;
  return page.shape === "envelope" && sizeOf(page) > 0 && sizeOf(page) >= spans;
}

/** What two answers to one question both show. */
export function inBoth(page: ServedPage, other: ServedPage): ServedPage {
  const ids = new Set(other.quotes.map(({ id }) => id));
  return { ...page, quotes: page.quotes.filter(({ id }) => ids.has(id)), quarantined: [] };
}

export class Pages {
  readonly #filter: Filter;
  readonly #context: HarvestContext;
  #faults = 0;
  /** Pages whose record that fails was found to fail again: there is no need to ask for them once more. */
  readonly #goneRound = new WeakSet<ServedPage>();

  constructor(filter: Filter, context: HarvestContext) {
    this.#filter = filter;
    this.#context = context;
  }

  /** The page at an offset, or the first one after it that is not empty. */
  async at(offset: number): Promise<ServedPage> {
    return this.settled(await this.once(offset));
  }

  /** A page that was served, asked for again where it is not whole, and the empty ones after it followed. */
  async settled(served: ServedPage): Promise<ServedPage> {
    const { offset } = served;
    let page = await this.agreed(served);
    for (let empty = 1; sizeOf(page) === 0 && page.next !== null; empty++) {
      const onward = page.next.offset ?? 0;
      if (empty > MOST_EMPTY_PAGES || onward <= page.offset) {
        throw new WalkFailed(
          `Cannot walk the collection: the pages from offset ${offset} on are empty and lead to no end`,
        );
      }
      page = await this.once(onward);
    }
    return page;
  }

  /** A page that was served, asked for again until one is whole or two in a row lack the same. */
  async agreed(served: ServedPage): Promise<ServedPage> {
    const answers = [served];
    let page = served;
    while (!this.#isSound(page) && answers.length < MOST_ANSWERS) {
      page = await this.once(served.offset);
      answers.push(page);
      const shown = answers.map((one) => `${one.shape} ${sizeOf(one)} ${one.quarantined.length}`);
      if (concludes("a page is not whole", { shown, control: false })) return page;
    }
    if (this.#isSound(page)) return page;
    const whole = answers.filter(isWhole);
    const [best = page] = (whole.length > 0 ? whole : answers).toSorted(
      (one, other) => other.quotes.length - one.quotes.length,
    );
    return best;
  }

  #isSound(page: ServedPage): boolean {
    return isWhole(page) && !this.isUnread(page);
  }

  /** Whether one answer alone says that a record cannot be read. */
  isUnread(page: ServedPage): boolean {
    return page.quarantined.length > 0 && !this.#goneRound.has(page);
  }

  /** The page at an offset as it is served, which may be cut or empty. */
  async once(offset: number): Promise<ServedPage> {
    const { get, pageSize } = this.#context;
    try {
      return await get(this.#filter, offset, pageSize);
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error;
      return this.#around(offset, error);
    }
  }

  /**
   * A page without the one record that makes the service fail. The records before it and after it are read apart;
   * that the record still fails at the same place afterwards proves that nothing moved meanwhile.
   */
  async #around(offset: number, fault: ServerFault): Promise<ServedPage> {
    if (++this.#faults > MOST_FAULTS) throw fault;
    const { get, pageSize } = this.#context;
    const isWell = (await this.#attempt(0, 1)) ?? (await this.#attempt(1, 1));
    if (isWell === null) throw fault.hadAnswers ? fault : new ServiceUnavailable(fault.message);
    let served = 0;
    let fails = pageSize;
    while (fails - served > 1) {
      const middle = (served + fails) >> 1;
      if ((await this.#attempt(offset, middle)) === null) fails = middle;
      else served = middle;
    }
    const head = served === 0 ? null : await get(this.#filter, offset, served);
    const moved = new StoppedEarly(
      `Cannot go on at offset ${offset}: the record that fails there moves (${fault.message})`,
    );
    const at = offset + (head === null ? 0 : sizeOf(head));
    if ((await this.#attempt(at, 1)) !== null) throw moved;
    const tail = await this.once(at + 1);
    if ((await this.#attempt(at, 1)) !== null) throw moved;
    const place = at - offset;
    const reason = `Cannot read the record at offset ${at}: ${fault.reason}`;
    const page = {
      ...tail,
      offset,
      quotes: [...(head?.quotes ?? []), ...tail.quotes],
      quarantined: [
        ...(head?.quarantined ?? []),
        { index: place, pk: null, reason },
        ...tail.quarantined.map((one) => ({ ...one, index: one.index + place + 1 })),
      ],
    };
    this.#goneRound.add(page);
    return page;
  }

  /** One attempt alone; null where the service failed. */
  #attempt(offset: number, limit: number): Promise<ServedPage | null> {
    const page = this.#context.get(this.#filter, offset, limit, "once");
    return orNull(page, (error) => error instanceof ServerFault);
  }
}
