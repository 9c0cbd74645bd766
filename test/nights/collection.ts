/**
 * The service of the drill and what is true of it: which quotes it holds since when, every version that it ever held, and
 * what was reported. Checks believe this and never what a build says of itself.
 */
import { startService, type RunningService } from "../../src/service/start.ts";
import type { StoredQuote } from "../../src/service/quote.ts";

const LANGUAGES = ["en", "en", "fr", "he"];
const WORDS = ["hope", "rivers", "patience", "the sea", "an open door", "winter", "bread"];

export class DrillCollection {
  readonly service: RunningService;
  /** Since when, in milliseconds since the epoch, a quote has been there without a break. */
  readonly since = new Map<number, number>();
  readonly versions = new Map<number, Set<string>>();
  readonly reported = new Map<number, number>();
  readonly #random: () => number;
  readonly #clock: { ahead: number };
  #nextKey = 1;
  #away: StoredQuote[] = [];

  private constructor(service: RunningService, random: () => number, clock: { ahead: number }) {
    this.service = service;
    this.#random = random;
    this.#clock = clock;
  }

  static async begin(
    size: number,
    pageSize: number,
    random: () => number,
  ): Promise<DrillCollection> {
    const clock = { ahead: 0 };
    const now = (): number => Date.now() + clock.ahead;
    const service = await startService({ quotes: [], maxLimit: pageSize, now });
    for (const { pk } of [...service.store.quotes()]) service.store.delete(pk);
    const collection = new DrillCollection(service, random, clock);
    for (let n = 0; n < size; n++) collection.insert();
    return collection;
  }

  now = (): number => Date.now() + this.#clock.ahead;

  setClock(moment: number): void {
    this.#clock.ahead = moment - Date.now();
  }

  insert(): void {
    this.#put(this.#make(this.#nextKey++));
  }

  /** One change of those that people and editors make all day. */
  drift(): void {
    const pk = this.any();
    const held = this.service.store.quote(pk);
    if (held === undefined) return;
    const chance = this.#random();
    if (chance < 0.5) this.service.store.edit(pk, { likes: held.likes + 1 });
    else if (chance < 0.65) this.insert();
    else if (chance < 0.75) this.#remove(pk);
    else if (chance < 0.9) this.#edit(pk, `${held.quote.slice(0, -1)}, again.`);
    else this.#edit(pk, held.quote.toUpperCase());
  }

  /** Reports a quote as a reader of the site would: over the socket. */
  async report(pk = this.any()): Promise<void> {
    const body = new URLSearchParams({ pk: String(pk) });
    await fetch(`${this.service.url}/apiv1/report/`, { method: "POST", body });
    this.since.delete(pk);
    this.reported.set(pk, this.now());
  }

  /** Leaves one quote in ten; `recover` brings the others back. */
  collapse(): void {
    const all = [...this.service.store.quotes()];
    this.#away.push(...all.filter(({ pk }) => pk % 10 !== 0));
    for (const { pk } of this.#away) this.#remove(pk);
  }

  recover(): void {
    for (const held of this.#away.splice(0)) this.#put(held);
  }

  any(): number {
    const keys = [...this.since.keys()];
    return keys[Math.floor(this.#random() * keys.length)] ?? 1;
  }

  #make(pk: number): StoredQuote {
    const word = WORDS[pk % WORDS.length] ?? "";
    const more = Math.floor(this.#random() * 9);
    return {
      pk,
      // A mark of its own, to be looked for in every byte of a site.
      quote: `Of ${word} one learns ${"slowly, ".repeat(more)}${markOf(pk)}.`,
      author: pk % 5 === 0 ? null : `Author ${pk % 11}`,
      likes: 1 + Math.floor(this.#random() * 50),
      tags: [`tag-${pk % 7}`],
      image: null,
      language: LANGUAGES[pk % LANGUAGES.length] ?? "en",
      curated: pk % 3 === 0,
    };
  }

  #put(held: StoredQuote): void {
    if (this.service.store.insert([held]) === 0) return;
    this.since.set(held.pk, this.now());
    this.#note(held.pk, held.quote);
  }

  #remove(pk: number): void {
    this.service.store.delete(pk);
    this.since.delete(pk);
  }

  #edit(pk: number, quote: string): void {
    this.service.store.edit(pk, { quote });
    this.#note(pk, quote);
  }

  #note(pk: number, text: string): void {
    this.versions.set(pk, (this.versions.get(pk) ?? new Set()).add(text));
  }
}

/** Letters alone, so that no search index takes it apart; neither case nor edits change it beyond recognition. */
export function markOf(pk: number): string {
  return `zq${[...String(pk)].map((digit) => "abcdefghij"[Number(digit)]).join("")}qz`;
}
