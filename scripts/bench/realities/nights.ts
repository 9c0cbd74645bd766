/** Nights of harvests of a service with realities. Waits take no time: they move the clock that the service sees too. */
import { RUNTIME } from "../../../src/client/connection.ts";
import { Refusal } from "../../../src/contract/errors.ts";
import { idleAllowed } from "../../../src/harvest/bound.ts";
import { harvest } from "../../../src/harvest/index.ts";
import { readSettings } from "../../../src/settings/settings.ts";
import { openPublished } from "../../../src/snapshot/index.ts";
import { KINDS, type KindName } from "./kinds.ts";
import { Service, type Quote } from "./service.ts";

const DAY_MS = 86_400_000;
const WORDS = "all that is written here was once said by a person to another one ".repeat(3);
const LANGUAGES = ["en", "fr", "he", "en", "de"];

export interface Night {
  readonly status: number;
  readonly isComplete: boolean;
  /** Why it stopped or was refused; empty when neither. */
  readonly message: string;
  readonly requests: number;
  /** Most requests that the bound on a run allows: those that bring no new quote, and one for each page. */
  readonly bound: number;
  /** Quotes that the service shows and that are not published, and the other way round. */
  readonly lost: number;
  readonly extra: number;
  /** Published quotes with a text or an author that is not theirs. */
  readonly wrong: number;
}

export function quoteAt(pk: number): Quote {
  return {
    pk,
    quote: `${WORDS.slice(0, 8 + ((pk * 37) % 161)).trim()} ${pk}.`,
    author: pk % 7 === 0 ? null : `Author ${pk % 13}`,
    likes: (pk * 31) % 23,
    tags: [`tag-${pk % 61}`],
    image: null,
    language: LANGUAGES[pk % LANGUAGES.length] ?? "en",
  };
}

export interface NightsOptions {
  readonly stateDir: string;
  readonly quotes: number;
  readonly cap: number;
  /** From 0 to 1. */
  readonly random?: () => number;
}

export class Nights {
  readonly service: Service;
  readonly #options: NightsOptions;
  readonly #clock: { nowMs: number };
  readonly #sleep = RUNTIME.sleep;
  #newest: number;

  private constructor(service: Service, options: NightsOptions, clock: { nowMs: number }) {
    [this.service, this.#options, this.#clock] = [service, options, clock];
    this.#newest = options.quotes;
    Object.assign(RUNTIME, {
      sleep: (ms: number, signal: AbortSignal) => {
        signal.throwIfAborted();
        clock.nowMs += Math.ceil(ms);
        return Promise.resolve();
      },
    });
  }

  static async begin(options: NightsOptions): Promise<Nights> {
    const clock = { nowMs: Date.now() };
    const quotes = Array.from({ length: options.quotes }, (_, at) => quoteAt(at + 1));
    const service = await Service.start(quotes, options.cap, () => clock.nowMs);
    return new Nights(service, options, clock);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    Object.assign(RUNTIME, { sleep: this.#sleep });
    await this.service.close();
  }

  /** Deletes quotes and adds as many others. */
  change(count: number): void {
    const random = this.#options.random ?? Math.random;
    const { service } = this;
    for (let done = 0; done < count; done++) {
      service.quotes.splice(Math.floor(random() * service.quotes.length), 1);
      service.quotes.push(quoteAt(++this.#newest));
    }
  }

  /** Harvests once, a day after the time before. What is thrown and is no refusal is a bug. */
  async run(names: readonly KindName[]): Promise<Night> {
    const { service } = this;
    service.realities = names.map((name) => KINDS[name]());
    service.night();
    const settings = readSettings(
      {
        QUOTES_BASE_URL: { url: service.url, cutFrom: null },
        STATE_DIR: this.#options.stateDir,
      },
      {},
    );
    const now = (): number => this.#clock.nowMs;
    const ended = await harvest({
      settings: { ...settings, now },
      signal: new AbortController().signal,
    })
      .then(({ exitStatus, harvest: { label }, stopped }) => ({
        status: exitStatus,
        isComplete: label.startsWith("complete:"),
        message: stopped ?? "",
      }))
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        return { status: error.exitStatus, isComplete: false, message: error.message };
      });
    this.#clock.nowMs += DAY_MS;
    const { requests, largestPage } = service.night();
    const [rows, page] = [service.quotes.length, Math.max(1, largestPage)];
    const bound = idleAllowed(rows, page) + Math.ceil(rows / page);
    return { ...ended, requests, bound, ...this.#compare() };
  }

  #compare(): Pick<Night, "lost" | "extra" | "wrong"> {
    using snapshot = openPublished(this.#options.stateDir);
    const published = [...(snapshot?.all() ?? [])];
    const got = new Set(published.map(({ id }) => id));
    const shown = new Set(this.service.keys());
    const isOwn = (text: string, pk: number): boolean => text.split(/\s/).at(-1) === `${pk}.`;
    return {
      lost: [...shown].filter((pk) => !got.has(pk)).length,
      extra: [...got].filter((pk) => !this.service.quotes.some((one) => one.pk === pk)).length,
      wrong: published.filter(({ id, text }) => !isOwn(text, id)).length,
    };
  }
}
