/**
 * Reads `site/corrections.yaml`. A value of a wrong type is a `ConfigurationError` with file and line; a key that means nothing
 * is a remark, since the file may be of a newer version.
 */
import { z } from "zod";
import { NO_CORRECTIONS, type Corrections, type QuoteCorrection } from "../contract/corrections.ts";
import { MAX_AUTHOR, MAX_TAG, MAX_TAGS, MAX_TEXT, MAX_WORK, MAX_YEAR } from "../contract/decode.ts";
import { EXPECTED_CODE, isWrittenCode } from "../contract/languages.ts";
import { MAX_PK } from "../contract/quote.ts";
import { fold } from "../util/fold.ts";
import { getOrCompute } from "../util/get-or-compute.ts";
import { cleanText, plainLine } from "../util/text.ts";
import { readYaml, textLine, type Path, type Refuse } from "./site-yaml.ts";

const name = (most: number) => textLine(most).pipe(z.string().min(1, "expected a name"));
const names = (most: number) =>
  z.union([z.array(name(most)), name(most).transform((one) => [one])], "expected names");

const source = z.union(
  [
    name(MAX_WORK).transform((work) => ({ work, year: null })),
    z.strictObject({ work: name(MAX_WORK), year: textLine(MAX_YEAR).nullable().default(null) }),
  ],
  "expected a title, or work and year",
);

const QUOTE_FIELDS = {
  text: z
    .string("expected text")
    .transform(cleanText)
    .pipe(
      z.string().min(1, "expected text").max(MAX_TEXT, `expected at most ${MAX_TEXT} characters`),
    ),
  author: z.union(
    [z.null(), textLine(MAX_AUTHOR).transform((text) => (text === "" ? null : text))],
    "expected a name",
  ),
  language: z.string(EXPECTED_CODE).refine(isWrittenCode, EXPECTED_CODE),
  tags: z
    .array(name(MAX_TAG), "expected a list of tags")
    .max(MAX_TAGS, `expected at most ${MAX_TAGS} tags`),
  source: source.nullable(),
};

const pk = z.int("expected the pk of a quote").min(0).max(MAX_PK);

/** @throws {ConfigurationError} with the file and the line */
export function readCorrections(file: string): Corrections {
  const document = readYaml(file, "the corrections");
  return document === null ? NO_CORRECTIONS : read(document.root, document.refuse);
}

function read(root: unknown, refuse: Refuse): Corrections {
  const unknown: string[] = [];
  const mapAt = (value: unknown, path: Path): Map<unknown, unknown> => {
    if (value === null || value === undefined) return new Map();
    return value instanceof Map ? value : refuse(path, "expected keys with values");
  };
  const check = <T>(schema: z.ZodType<T>, value: unknown, path: Path): T => {
    const parsed = schema.safeParse(value instanceof Map ? Object.fromEntries(value) : value);
    return parsed.success
      ? parsed.data
      : refuse(path, parsed.error.issues[0]?.message ?? "not understood");
  };
  const spellingsOf = (found: Map<string, string[]>, shown: string): string[] =>
    getOrCompute(found, shown, () => []);
  /** Adds lists of spellings, by the shown name. A spelling has one name. */
  const addSpellings = (
    found: Map<string, string[]>,
    value: unknown,
    path: Path,
    most: number,
    isInverse = false,
  ): Map<string, string[]> => {
    const nameOf = new Map(
      [...found].flatMap(([shown, all]) => all.map((one) => [fold(one), shown])),
    );
    for (const [key, list] of mapAt(value, path)) {
      const at = [...path, key];
      const given = check(isInverse ? name(most) : textLine(most), key, at);
      const others = check(names(most), list, at);
      for (const other of others) {
        const [shown, spelling] = isInverse ? [other, given] : [given, other];
        const before = nameOf.get(fold(spelling)) ?? shown;
        if (fold(before) !== fold(shown))
          refuse(at, `"${spelling}" has two names: "${before}" and "${shown}"`);
        nameOf.set(fold(spelling), shown);
        spellingsOf(found, shown).push(spelling);
      }
      // A name may have no other spelling.
      if (!isInverse) spellingsOf(found, given);
    }
    return found;
  };

  const top = mapAt(root, []);
  const quotes = new Map<number, QuoteCorrection>();
  const byAuthor = new Map<string, QuoteCorrection>();
  for (const [key, value] of mapAt(top.get("quotes"), ["quotes"])) {
    const path = ["quotes", key];
    const isOfAuthor = typeof key === "string";
    const fields: [string, unknown][] = [];
    for (const [field, given] of mapAt(value, path)) {
      const schema = Object.hasOwn(QUOTE_FIELDS, String(field))
        ? QUOTE_FIELDS[String(field) as keyof typeof QUOTE_FIELDS]
        : null;
      if (schema === null) unknown.push([...path, field].join("."));
      else if (isOfAuthor && field === "text")
        refuse([...path, field], "expected the pk of a quote above it: a text is of one quote");
      else fields.push([String(field), check<unknown>(schema, given, [...path, field])]);
    }
    const correction: QuoteCorrection = Object.fromEntries(fields);
    if (isOfAuthor) byAuthor.set(check(textLine(MAX_AUTHOR), key, path), correction);
    else quotes.set(check(pk, key, path), correction);
  }
  const copies = new Map<number, readonly number[]>();
  for (const [key, value] of mapAt(top.get("copies"), ["copies"])) {
    const path = ["copies", key];
    const others = z.union([z.array(pk), pk.transform((one) => [one])], "expected pks of quotes");
    copies.set(check(pk, key, path), check(others, value, path));
  }
  const tagRules = mapAt(top.get("tags"), ["tags"]);
  const tags = addSpellings(new Map(), tagRules.get("rename"), ["tags", "rename"], MAX_TAG, true);
  addSpellings(tags, tagRules.get("merge"), ["tags", "merge"], MAX_TAG);
  const hide = tagRules.get("hide") ?? [];
  const known = [
    [top, ["quotes", "authors", "tags", "copies"], ""],
    [tagRules, ["rename", "merge", "hide"], "tags."],
  ] as const;
  for (const [map, keys, before] of known) {
    const others = [...map.keys()].filter((key) => !(keys as readonly unknown[]).includes(key));
    unknown.push(...others.map((key) => before + String(key)));
  }
  return {
    quotes,
    byAuthor,
    authors: addSpellings(new Map(), top.get("authors"), ["authors"], MAX_AUTHOR),
    tags,
    copies,
    hiddenTags: check(names(MAX_TAG).or(z.tuple([]).transform((): string[] => [])), hide, [
      "tags",
      "hide",
    ]),
    unknown: unknown.map((key) => plainLine(key).slice(0, 100)),
  };
}
