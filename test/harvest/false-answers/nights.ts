/** Nights of harvests against a lying service: the harvest command's own entry, its waits skipped, its clock set. */
import { rm } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { expect, onTestFinished, vi } from "vitest";
import { RUNTIME } from "../../../src/client/connection.ts";
import { harvest } from "../../../src/harvest/index.ts";
import { Refusal } from "../../../src/contract/errors.ts";
import type { HarvestLabel } from "../../../src/contract/facts.ts";
import type { HarvestResult } from "../../../src/contract/results.ts";
import { toWire, type WireQuote } from "../../../src/contract/quote.ts";
import type { Settings } from "../../../src/settings/settings.ts";
import { FalseService, libraryOf, type FalseServiceOptions } from "./service.ts";
import { settingsFor, tempFolder } from "../../support/run/index.ts";
import { publishedIn } from "../../support/snapshot/index.ts";

/** The real hour: what is limited by the real clock is limited by this one. */
const FIRST_NIGHT = Math.floor(Date.now() / 3_600_000) * 3_600_000;
const DAY_MS = 86_400_000;

export interface Ended {
  readonly status: number;
  /** "none" where the harvest was refused. */
  readonly label: HarvestLabel | "none";
  readonly published: boolean;
  /** The refusal, or why the walk stopped; empty when neither. */
  readonly message: string;
  readonly requests: number;
  /** Which night the run began on; NaN where the harvest was refused. */
  readonly began: number;
  readonly result: HarvestResult | null;
}

export type Walk = Partial<Settings["walk"]>;

/** Sleeping takes no time but moves the clock on; chance may be a seeded one. */
function skipWaits(random?: () => number): { skippedMs: number } {
  const clock = { skippedMs: 0 };
  const sleep = vi.spyOn(RUNTIME, "sleep").mockImplementation((ms, signal) => {
    signal.throwIfAborted();
    clock.skippedMs += Math.ceil(ms);
    return Promise.resolve();
  });
  onTestFinished(() => sleep.mockRestore());
  if (random !== undefined) {
    const spies = [vi.spyOn(RUNTIME, "random"), vi.spyOn(Math, "random")];
    for (const spy of spies) {
      spy.mockImplementation(random);
      onTestFinished(() => spy.mockRestore());
    }
  }
  return clock;
}

/** A clock for the settings of a harvest that moves only while it sleeps, which takes no time; for one test. */
export function sleepClock(): () => number {
  const began = Date.now();
  const clock = skipWaits();
  return () => began + clock.skippedMs;
}

export class Nights {
  /** Another one takes its place at another address. */
  service: FalseService;
  readonly stateDir: string;
  readonly #clock: { skippedMs: number };
  #number = 0;

  constructor(service: FalseService, stateDir: string, random?: () => number) {
    this.service = service;
    this.stateDir = stateDir;
    this.#clock = skipWaits(random);
  }

  get number(): number {
    return this.#number;
  }

  /** Harvests once, a day after the time before. What is thrown and is no refusal is a bug and fails the test. */
  async run(walk: Walk = {}, more: Partial<Settings> = {}): Promise<Ended> {
    this.service.night();
    const today = FIRST_NIGHT + this.#number * DAY_MS;
    this.#number++;
    this.#clock.skippedMs = 0;
    const settings: Settings = {
      ...settingsFor(this.service.url, this.stateDir, walk),
      now: () => today + this.#clock.skippedMs,
      ...more,
    };
    const { signal } = new AbortController();
    try {
      const result = await harvest({ settings, signal });
      return {
        status: result.exitStatus,
        label: result.harvest.label,
        published: result.published,
        message: result.stopped ?? "",
        requests: this.service.journal.length,
        began: Math.floor((Date.parse(result.harvest.started) - FIRST_NIGHT) / DAY_MS),
        result,
      };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return {
        status: error.exitStatus,
        label: "none",
        published: false,
        message: error.message,
        requests: this.service.journal.length,
        began: Number.NaN,
        result: null,
      };
    }
  }

  async end(): Promise<void> {
    await this.service.close();
    await rm(this.stateDir, { recursive: true, force: true });
  }

  published(): WireQuote[] {
    return publishedIn(this.stateDir).map(toWire);
  }

  keys(): number[] {
    return this.published().map(({ pk }) => pk);
  }

  /** Keys that the service lists now and that are not published. */
  missing(): number[] {
    const got = new Set(this.keys());
    return this.service.keys().filter((pk) => !got.has(pk));
  }
}

/** Ends by itself with the test; many in one test are better ended one by one. */
export async function beginNights(options: FalseServiceOptions): Promise<Nights> {
  const nights = new Nights(await FalseService.start(options), tempFolder(), options.random);
  onTestFinished(() => nights.end());
  return nights;
}

/** Nights of so many quotes, in pages of `cap`. */
export const begin = (size = 1_606, cap = 100): Promise<Nights> =>
  beginNights({ quotes: libraryOf(size), cap });

/** As many pages as the collection above, at a quarter of the time. */
export const beginSmall = (): Promise<Nights> => begin(370, 25);

export const isComplete = ({ label }: Ended): boolean => label.startsWith("complete:");

/** Every quote that the service lists is published. */
export function expectWhole(nights: Nights): void {
  const missing = nights.missing();
  expect(missing.slice(0, 5), `${missing.length} quotes are missing`).toEqual([]);
}

/**
 * A first harvest that is published is whole and labelled so; else nothing is published, and the status says 75, or
 * one of the others that are named.
 */
export function expectWholeOrNothing(nights: Nights, ended: Ended, others: number[] = []): void {
  if (ended.published) {
    expectWhole(nights);
    expect(ended.status).toBe(0);
    expect(isComplete(ended)).toBe(true);
  } else {
    expect([75, ...others]).toContain(ended.status);
    expect(nights.keys()).toEqual([]);
  }
}

/** What was published before and still exists is published as it was. */
export function expectKept(nights: Nights, before: readonly WireQuote[]): void {
  const now = new Map(nights.published().map((quote) => [quote.pk, quote]));
  const listed = new Set(nights.service.keys());
  const lost = before.filter(({ pk }) => listed.has(pk) && !now.has(pk));
  expect(lost.slice(0, 5), `${lost.length} quotes that exist were removed`).toEqual([]);
  const truth = new Map(nights.service.quotes.map((quote) => [quote.pk, quote]));
  const spoilt = before.filter(
    (quote) =>
      isDeepStrictEqual(quote, truth.get(quote.pk)) && !isDeepStrictEqual(quote, now.get(quote.pk)),
  );
  expect(spoilt.slice(0, 5), `${spoilt.length} quotes changed, but not at the service`).toEqual([]);
}
