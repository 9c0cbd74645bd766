/**
 * Several answers to one slice may agree in their keys and not in what they say of a quote: one of them has false contents
 * (docs/walk.md, section 3). Of each quote the version counts that most answers show.
 */
import type { Quote } from "../../contract/quote.ts";
import type { ServedPage } from "../../contract/window.ts";
import { getOrCompute } from "../../util/get-or-compute.ts";
import { verdictOn, versionOf } from "../changes.ts";

export interface Versions {
  /**
   * The quotes of all answers, each in the version that most of them show; of two the later one. What one answer shows in several
   * versions stays in all of them.
   */
  readonly quotes: readonly Quote[];
  /**
   * Whether of some quote two versions are shown as often: another answer decides. Versions that one answer shows both, as from a
   * join, are no contradiction of answers.
   */
  readonly isContested: boolean;
}

/** @param answers those to prefer last */
export function chooseVersions(answers: readonly ServedPage[]): Versions {
  const versions = new Map<number, Map<string, Quote[]>>();
  const believed = answers.filter((answer) => !isOutvoted(answer, answers));
  // Two pairs may contradict each other, of which each outvotes the other.
  const sound = believed.length > 0 ? believed : answers;
  for (const quote of sound.flatMap(({ quotes }) => quotes)) {
    const own = getOrCompute(versions, quote.id, () => new Map<string, Quote[]>());
    const same = own.get(versionOf(quote)) ?? [];
    // Of two versions that are shown as often, the later one is the last of the map.
    own.delete(versionOf(quote));
    own.set(versionOf(quote), [...same, quote]);
  }
  const shown = [...versions.values()].map((own) =>
    [...own.values()].toSorted((one, other) => one.length - other.length),
  );
  const repeated = new Set(sound.flatMap(({ quotes }) => repeatedIn(quotes)));
  const isRepeated = (own: readonly Quote[][]): boolean => repeated.has(own[0]?.[0]?.id ?? -1);
  return {
    quotes: shown.flatMap((own) =>
      (isRepeated(own) ? own : own.slice(-1)).flatMap((same) => same.at(-1) ?? []),
    ),
    isContested: shown.some(
      (own) => own.length > 1 && own.at(-1)?.length === own.at(-2)?.length && !isRepeated(own),
    ),
  };
}

/** Keys that an answer shows more than once. */
function repeatedIn(quotes: readonly Quote[]): number[] {
  const before = new Set<number>();
  return quotes.flatMap(({ id }) => {
    const isRepeated = before.has(id);
    before.add(id);
    return isRepeated ? [id] : [];
  });
}

/** Whether two answers that agree contradict this one: then it shows nothing, also not of quotes that it alone has. */
function isOutvoted(answer: ServedPage, answers: readonly ServedPage[]): boolean {
  const others = answers.filter((other) => verdictOn(answer, other) === "contradicts");
  return others.some((one, at) =>
    others.slice(at + 1).some((other) => verdictOn(one, other) === "agrees"),
  );
}
