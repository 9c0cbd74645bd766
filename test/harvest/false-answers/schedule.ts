/**
 * A random schedule of false answers and of changes, drawn from a seed: several nights of one site.
 *
 * False answers never agree: no question is answered falsely twice with the same content, since what two equal
 * answers say is believed.
 */
import type { WireQuote } from "../../../src/contract/quote.ts";
import { seeded } from "../../support/run/index.ts";
import {
  FALSE_ANSWER_NAMES,
  FALSE_ANSWERS,
  type Asked,
  type FalseAnswer,
  type FalseAnswerName,
  type Answer,
} from "./table.ts";
import { beginNights, isComplete, type Nights, type Walk } from "./nights.ts";
import { libraryOf, ORDER_NAMES, quoteAt, type FalseService } from "./service.ts";

export interface Chances {
  /** Share of answers that are false. */
  readonly falseAnswers: number;
  /** Share of requests before which the collection changes. */
  readonly drift: number;
}

export interface Schedule {
  readonly seed: number;
  readonly chances: Chances;
  /** Nights with false answers, before the honest ones. */
  readonly nights: number;
  /**
   * How many of the kinds of false answers to draw from; default all. The last one, a page that lacks a quote, leaves no trace
   * if a quote before it is deleted meanwhile: it is drawn only where the collection does not change.
   */
  readonly kinds?: number;
  /** A seeded fault, for a proof that it is found: a key that the service lists and every answer of its list hides. */
  readonly hides?: number;
}

/** What came of a schedule. */
export interface Outcome {
  /** Broken promises, in words; none where all is well. */
  readonly broken: readonly string[];
  /** Nights with false answers that ended complete. */
  readonly complete: number;
  readonly falseAnswers: readonly FalseAnswerName[];
}

/** Nights without false answers and changes, after which the site must be what the service lists. */
const HONEST = 3;
const LEAST_SIZE = 15;
const LEAST_CAP = 5;
/** More than may vanish in a night would be refused, and rightly. */
const MOST_DELETED = 45;

export async function play({ seed, chances, nights: count, ...how }: Schedule): Promise<Outcome> {
  const random = seeded(seed);
  const draw = (most: number): number => Math.floor(random() * most);
  const order = ORDER_NAMES[seed % ORDER_NAMES.length] ?? "by key";
  const size = 20 + draw(random() < 0.8 ? 80 : 180);
  const nights = await beginNights({
    quotes: libraryOf(size),
    order,
    cap: LEAST_CAP + draw(20),
    random,
  });
  const { service } = nights;
  const answers: FalseAnswerName[] = [];
  const { kinds = FALSE_ANSWER_NAMES.length - Number(chances.drift > 0) } = how;
  const falsify = makeFalsifier(random, chances.falseAnswers, answers, kinds);
  service.script = (asked, pages) => {
    // In bursts: a single delete is bridged by the overlap of two pages.
    const burst = random() < chances.drift ? 1 + draw(6) : 0;
    for (let done = 0; done < burst; done++) change(service, draw);
    // The truth is what holds after the change.
    const answer =
      falsify({ ...asked, truth: service.truth(asked.url) }, pages) ?? service.truth(asked.url);
    return how.hides === undefined ? answer : without(answer, how.hides);
  };
  const budget = random() < 0.25 ? 10 + draw(20) : null;
  const judge = new Judge(nights, chances.drift > 0);
  try {
    for (let night = 0; night < count; night++) {
      const walk: Walk = { concurrency: 1 + (seed % 3), maxRequests: budget };
      await judge.night(walk, `night ${night + 1} of ${count}`);
      for (let changes = draw(4); changes > 0; changes--) change(service, draw);
    }
    const { complete } = judge;
    service.script = () => null;
    await judge.honest(HONEST);
    return { broken: judge.broken, complete, falseAnswers: answers };
  } finally {
    await nights.end();
  }
}

function without(answer: Answer, pk: number): Answer {
  const body = (answer.body ?? {}) as { results?: { pk?: number }[] };
  if (body.results === undefined) return answer;
  return { ...answer, body: { ...body, results: body.results.filter((one) => one.pk !== pk) } };
}

/** What gives all quotes of a page one value. */
const ONE_VALUE: ReadonlySet<FalseAnswerName> = new Set<FalseAnswerName>([
  "one author for all",
  "one language for all",
  "no likes",
  "no tags",
  "placeholders",
]);

/** Replaces answers by chance, and never twice the same for one question. */
function makeFalsifier(
  random: () => number,
  share: number,
  answers: FalseAnswerName[],
  kinds: number,
): FalseAnswer {
  const before = new Map<string, Set<string>>();
  return (asked, service) => {
    if (random() >= share) return null;
    const name = FALSE_ANSWER_NAMES[Math.floor(random() * kinds)] ?? "server error";
    const answer = FALSE_ANSWERS[name](asked, service);
    if (answer === null) return null;
    const question = questionOf(asked);
    const known = before.get(question) ?? new Set();
    // Other keys with the same false value agree, too.
    const content = ONE_VALUE.has(name) ? name : contentOf(answer);
    if (known.has(content)) return null;
    before.set(question, known.add(content));
    answers.push(name);
    return answer;
  };
}

function questionOf({ url }: Asked): string {
  const query = new URLSearchParams(url.search);
  query.delete("limit");
  query.sort();
  return `${url.pathname}?${query.toString()}`;
}

/** The keys and texts, and whether there is a next page, which is what is concluded from. */
function contentOf({ status, body }: Answer): string {
  const { results, next } = (body ?? {}) as { results?: (WireQuote | null)[]; next?: unknown };
  if (results === undefined) return JSON.stringify([status, body]);
  return JSON.stringify([results.map((row) => [row?.pk, row?.quote]), next === null]);
}

/** One insert, delete or vote, or another page cap. A row that is written again goes to the end, where the order says so. */
function change(service: FalseService, draw: (most: number) => number): void {
  const { quotes } = service;
  if (draw(30) === 0) service.cap = LEAST_CAP + draw(20);
  const kind = draw(3);
  if (kind === 0 || quotes.length < LEAST_SIZE) {
    quotes.push(quoteAt(1 + quotes.reduce((most, { pk }) => Math.max(most, pk), service.newest)));
    service.newest = quotes.at(-1)?.pk ?? 0;
    return;
  }
  const at = draw(quotes.length);
  const [quote] = quotes.splice(at, 1);
  if (quote === undefined) return;
  if (kind === 1 && service.deleted < MOST_DELETED) {
    service.deleted++;
    return;
  }
  const voted = { ...quote, likes: quote.likes + 1 + draw(3) };
  if (service.order === "as written") quotes.push(voted);
  else quotes.splice(at, 0, voted);
}

/** Holds each night against what the service listed. */
class Judge {
  readonly broken: string[] = [];
  complete = 0;
  readonly #nights: Nights;
  /** Whether the collection changes while it is read. */
  readonly #drifts: boolean;
  /** What was listed when each night began. */
  readonly #listed: ReadonlySet<number>[] = [];
  #published: readonly number[] = [];

  constructor(nights: Nights, drifts: boolean) {
    this.#nights = nights;
    this.#drifts = drifts;
  }

  async night(walk: Walk, name: string): Promise<boolean> {
    const { service } = this.#nights;
    this.#listed.push(new Set(service.keys()));
    const ended = await this.#nights.run(walk);
    const now = service.keys();
    const published = this.#nights.keys();
    const got = new Set(published);
    const listed = new Set(now);
    const run = `${name}, in the order ${service.order}, ${ended.label} (${ended.status})`;
    if (ended.published && isComplete(ended)) {
      this.complete++;
      const throughout = this.#listed[ended.began] ?? new Set();
      this.#blame(
        run,
        "listed throughout, and not published",
        now.filter((pk) => throughout.has(pk) && !got.has(pk)),
      );
    }
    this.#blame(
      run,
      "listed, and removed",
      this.#published.filter((pk) => listed.has(pk) && !got.has(pk)),
    );
    this.#blame(
      run,
      "never listed, and published",
      published.filter((pk) => pk > service.newest),
    );
    if (ended.published && isComplete(ended)) this.#blame(run, "with a false text", this.#spoilt());
    if (![0, 65, 69, 75].includes(ended.status)) this.#blame(run, ended.message, [ended.status]);
    this.#published = published;
    return ended.published && isComplete(ended);
  }

  /** Afterwards the site recovers: complete within a few nights, and then what the service lists. */
  async honest(most: number): Promise<void> {
    let complete = false;
    for (let night = 1; night <= most; night++) {
      // What drift took away may be more than a night may lose by itself.
      complete = await this.night({ allowShrink: night > 1 }, `honest night ${night}`);
      if (complete && this.#ghosts().length === 0) return;
    }
    const name = "after the honest nights";
    this.#blame(name, "not listed, and published", this.#ghosts());
    if (!complete) this.broken.push(`${name}: the last one was not complete`);
  }

  /** Keys that are published and not listed. Where no other quote has its language, none can vouch for an answer. */
  #ghosts(): number[] {
    const { quotes } = this.#nights.service;
    const listed = new Set(quotes.map(({ pk }) => pk));
    const languages = new Set(quotes.map(({ language }) => language));
    return this.#published.filter((pk) => !listed.has(pk) && languages.has(quoteAt(pk).language));
  }

  /**
   * Keys with a text that is not theirs: each text of a quote names its key. A page of quotes that are all new shows nothing,
   * if they move before the next page.
   */
  #spoilt(): number[] {
    const known = new Set(this.#published);
    const isOwn = ({ pk, quote }: { pk: number; quote: string }): boolean =>
      quote.endsWith(` ${pk}.`) || (this.#drifts && !known.has(pk));
    return this.#nights.published().flatMap((one) => (isOwn(one) ? [] : [one.pk]));
  }

  #blame(night: string, what: string, keys: readonly number[]): void {
    if (keys.length > 0)
      this.broken.push(`${night}: ${keys.length} ${what}: ${keys.slice(0, 8).join(" ")}`);
  }
}
