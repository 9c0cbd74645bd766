/** Applies the corrections of a site to quotes, one at a time, and remembers which of them had an effect. */
import type { CorrectionReport, Corrections, QuoteCorrection } from "../contract/corrections.ts";
import type { Quote } from "../contract/quote.ts";
import { getOrCompute } from "../util/get-or-compute.ts";
import { keyOf as termKey } from "./terms.ts";

/** Authors and tags have keys of one kind. */
const keyOf = (name: string): string => termKey("author", name);

/** Remarks that are kept. */
const MOST_REMARKS = 50;

export type Corrector = ReturnType<typeof corrector>;

export function corrector({ quotes, byAuthor, authors, tags, hiddenTags, unknown }: Corrections) {
  const authorOf = renamed(authors);
  const tagOf = renamed(tags);
  const hidden = new Map(hiddenTags.map((name) => [keyOf(name), name]));
  const ofAuthors = new Map([...byAuthor].map(([name, fields]) => [keyOf(name), { name, fields }]));
  const isEmpty = quotes.size + ofAuthors.size + authors.size + tags.size + hidden.size === 0;
  const [authorNames, tagNames] = [new Map<string, string>(), new Map<string, string | null>()];
  /** Corrections by what they are of: whether any quote differs by it, or the source has made it. */
  const used = new Map<number | string, boolean>();
  /** Keys of names that were met. */
  const met = new Set<string>();
  let changed = 0;

  const authorFor = (name: string | null): string | null => {
    if (name === null || authorOf.size === 0) return name;
    const known = getOrCompute(authorNames, name, () => {
      const key = keyOf(name);
      met.add(`author ${key}`);
      return authorOf.get(key) ?? name;
    });
    return known === "" ? null : known;
  };

  /** Null for a hidden tag. */
  const tagFor = (name: string): string | null =>
    getOrCompute(tagNames, name, () => {
      const shown = tagOf.get(keyOf(name)) ?? name;
      met.add(`tag ${keyOf(name)}`);
      return hidden.has(keyOf(name)) || hidden.has(keyOf(shown)) ? null : shown;
    });

  const tagsFor = (names: readonly string[]): readonly string[] => {
    if (tagOf.size + hidden.size === 0) return names;
    return [...new Set(names.map(tagFor).filter((name) => name !== null))];
  };

  function correct(quote: Quote): Quote {
    if (isEmpty) return quote;
    const ofAuthor = ofAuthors.size === 0 ? undefined : ofAuthors.get(keyOf(quote.author ?? ""));
    const ofQuote = quotes.get(quote.id);
    if (ofAuthor !== undefined) note(ofAuthor.name, quote, ofAuthor.fields);
    if (ofQuote !== undefined) note(quote.id, quote, ofQuote);
    const own = { ...ofAuthor?.fields, ...ofQuote };
    const result: Quote = {
      ...quote,
      text: own.text ?? quote.text,
      author: authorFor(own.author === undefined ? quote.author : own.author),
      tags: tagsFor(own.tags ?? quote.tags),
      language: own.language ?? quote.language,
      source: own.source === undefined ? quote.source : own.source,
    };
    if (isSame(quote, result)) return quote;
    changed++;
    return { ...result, served: null };
  }

  function note(name: number | string, quote: Quote, fields: QuoteCorrection): void {
    const differs = !isSame(quote, { ...quote, ...fields });
    used.set(name, differs || used.get(name) === true);
  }

  /** What the corrections did to the quotes so far. */
  function report(): Omit<CorrectionReport, "hidden"> {
    const idle = [...quotes.keys(), ...byAuthor.keys()].filter((name) => used.get(name) !== true);
    const remarks = [
      ...unknown.map((key) => `correction ${key} means nothing: there is no such key`),
      ...idle.map((name) => {
        const [of, none] =
          typeof name === "number"
            ? [`quote ${name}`, "no quote has this pk"]
            : [`author ${JSON.stringify(name)}`, "no quote has this author"];
        return `correction of ${of}: ${used.has(name) ? "the source has made it" : none}`;
      }),
      ...unmet("author", authors, met),
      ...unmet("tag", tags, met),
      ...hiddenTags
        .filter((name) => !met.has(`tag ${keyOf(name)}`))
        .map((name) => `hidden tag ${JSON.stringify(name)}: no quote has it`),
    ];
    const more = remarks.length - MOST_REMARKS;
    const shown = remarks.slice(0, MOST_REMARKS);
    return { quotes: changed, remarks: more > 0 ? [...shown, `… and ${more} more`] : shown };
  }

  return { correct, report };
}

/** The shown name by the keys of all its spellings, its own among them. */
function renamed(names: Corrections["authors"]): Map<string, string> {
  const all = [...names].flatMap(([shown, spellings]) =>
    [shown, ...spellings]
      .filter((name) => name !== "")
      .map((name) => [keyOf(name), shown] as const),
  );
  return new Map(all);
}

function unmet(kind: string, names: Corrections["authors"], met: ReadonlySet<string>): string[] {
  return [...names].flatMap(([shown, spellings]) =>
    spellings
      .filter((name) => !met.has(`${kind} ${keyOf(name)}`))
      .map(
        (name) => `${kind} ${JSON.stringify(name)} of ${JSON.stringify(shown)}: no quote has it`,
      ),
  );
}

function isSame(a: Quote, b: Quote): boolean {
  return (
    a.text === b.text &&
    a.author === b.author &&
    a.language === b.language &&
    a.tags.join("\0") === b.tags.join("\0") &&
    a.source?.work === b.source?.work &&
    a.source?.year === b.source?.year
  );
}
