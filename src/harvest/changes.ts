/** How answers of one service differ in what they say of quotes: by field, by share, and in kind. */
import { isDeepStrictEqual } from "node:util";
import { servedTextOf, type Quote } from "../contract/quote.ts";
import type { ServedPage } from "../contract/window.ts";
import { printable } from "../util/text.ts";

/** Quotes of a page that may change a field without doubt: fewer than this number, and at most this share. */
export const LEAST_CHANGED = 5;
/** The same for texts, which change rarely: a page of few published quotes, such as a slice, may be false too. */
export const LEAST_TEXTS = 1;
const CHANGED_SHARE = 0.2;

/** Whether so many quotes of a page changed that a second answer is wanted. */
export const areTooManyChanged = (
  changed: number,
  of: number,
  least: number = LEAST_CHANGED,
): boolean => changed >= least && changed > of * CHANGED_SHARE;

/** Of the changed values, those that must be the same in a second answer, or of one kind. */
const AGREEING_SHARE = 0.9;
/** Votes that may come between two windows. */
const FEW_VOTES = 2;

export const FIELDS = {
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

export type Field = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as Field[];

/** A quote as it is known, and as a page has it. */
export interface Pair {
  readonly before: Quote;
  readonly now: Quote;
}

export const byKey = (quotes: readonly Quote[]): Map<number, Quote> =>
  new Map(quotes.map((quote) => [quote.id, quote]));

export function isSame(field: Field, one: Quote, other: Quote): boolean {
  const { valueOf } = FIELDS[field];
  return isDeepStrictEqual(valueOf(one), valueOf(other));
}

export const differs = (field: Field, { before, now }: Pair): boolean =>
  !isSame(field, before, now);

/** Whether two answers of one run agree, but for votes that came between them. */
export function isNear(field: Field, one: Quote, other: Quote): boolean {
  if (field !== "likes") return isSame(field, one, other);
  return Math.abs(one.likes - other.likes) <= FEW_VOTES;
}

export const areNear = (one: Quote, other: Quote): boolean =>
  FIELD_NAMES.every((field) => isNear(field, one, other));

/** What a quote says, as one text. Likes change by votes, and show nothing. */
export const versionOf = ({ text, author, tags, language }: Quote): string =>
  JSON.stringify([text, author, tags, language]);

type Answer = Pick<ServedPage, "quotes">;

/** The quotes of an answer that another holds too. A key may be on a page twice. */
function pairsOf(quotes: readonly Quote[], answer: Answer): Pair[] {
  const others = byKey(answer.quotes);
  return quotes.flatMap((before) => {
    const now = others.get(before.id);
    return now === undefined ? [] : [{ before, now }];
  });
}

/** Whether two answers to one request say the same of nearly all quotes that both hold. */
export function areAlike(one: ServedPage, other: ServedPage): boolean {
  const shared = pairsOf(one.quotes, other);
  const same = shared.filter(({ before, now }) => areNear(before, now));
  return shared.length * 2 > one.quotes.length && same.length >= shared.length * AGREEING_SHARE;
}

/** What two answers to one request show of each other; null where they hold no quote in common. A few votes show nothing. */
export function verdictOn(one: Answer, other: Answer): "agrees" | "contradicts" | null {
  const shared = pairsOf([...byKey(one.quotes).values()], other);
  if (shared.length === 0) return null;
  const isContradicted = FIELD_NAMES.some((field) => {
    const changed = shared.filter(({ before, now }) => !isNear(field, before, now));
    return isRewritten(field, changed, shared, field === "likes" ? LEAST_CHANGED : LEAST_TEXTS);
  });
  return isContradicted ? "contradicts" : "agrees";
}

/** Whether too many of the quotes of a page changed a field, and likes by more than votes. */
export function isRewritten(
  field: Field,
  changed: readonly Pair[],
  pairs: readonly Pair[],
  least: number,
): boolean {
  if (!areTooManyChanged(changed.length, pairs.length, least)) return false;
  return field !== "likes" || !areVotes(pairs);
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
export function kindOf(field: Field, changed: readonly Pair[]): string {
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
