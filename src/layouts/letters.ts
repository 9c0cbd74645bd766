/**
 * Small typefaces for pages with a few words in many scripts: subsets with the words of the page.
 *
 * Such a page declares no other typeface but Latin: letters of a word join only if they are from one file.
 */
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { APIRoute } from "astro";
import { languageOf, type Script } from "../contract/languages.ts";
import { memoise } from "../util/memoise.ts";
import { atomicWrite, makeFolder } from "../files/disk.ts";
import { href, openSite, siteSettings, type CardData, siteLocale } from "../site/index.ts";
import { subsetFont } from "./subset-font.ts";
import { FONT_FILES, fontFile, type FontSubset } from "./typefaces.ts";

/** Most bytes of the faces of each set. */
const MOST_BYTES = { home: 40_000, today: 64_000, authors: 40_000, menus: 40_000, search: 60_000 };

/**
 * `menus` has the names of languages and the authors' initials, `search` these names and all that its filters show. The other sets
 * have these names and all that their page shows.
 */
export type LetterSet = keyof typeof MOST_BYTES;

const LETTER_SETS = Object.keys(MOST_BYTES) as LetterSet[];

/** Used in `src/styles/tokens.css`. */
const FAMILY = "Commonplace Letters";

/** One weight takes half the bytes of all weights. Browsers make bold letters of it. */
const WEIGHT = 400;

/** Joiners, marks of direction and the dotted circle: in the ranges of many typefaces, but letters of none. */
const SHARED = String.raw`[\u200C-\u200E\u25CC]`;

const { resolve } = createRequire(import.meta.url);

function textOf(set: LetterSet): string {
  const site = openSite();
  const languages = site.languages().map(({ language }) => language.name);
  const initials = site.authors().initials.map(({ label }) => label);
  if (set === "menus") return [...languages, ...initials].join(" ");
  if (set === "search") {
    // Its filters have words of their own in each language that has a page of the search: letters of two typefaces do not join.
    const words = site.generalLanguages().flatMap(({ slug }) => {
      const { messages, reader } = siteLocale(slug);
      const { anyLanguage, anyLength, short, medium, long } = reader;
      return [messages.allTags, anyLanguage, anyLength, short, medium, long];
    });
    return [...languages, ...words, ...site.searchTags().map(({ name }) => name)].join(" ");
  }
  if (set === "authors") {
    const { largest } = site.authors();
    return [...languages, ...initials, ...largest.map(({ name }) => name)].join(" ");
  }
  if (set === "today") return [...languages, ...site.today().cards.map(textOfCard)].join(" ");
  const { today, top, tags, authors } = site.home();
  const cards = today === null ? top : [today.card, ...top];
  const names = [...tags, ...authors].map(({ name }) => name);
  return [...languages, ...names, ...cards.map(textOfCard)].join(" ");
}

/** All that a card shows, and all digits: a vote changes the count. */
function textOfCard({ quote, author, tags, plainTags, likes }: CardData): string {
  const locale = siteLocale(quote.language);
  const { unknownAuthor } = locale.messages;
  const words = [
    ...Object.values(locale.vote.card),
    ...Object.values(locale.card),
    locale.reader.keep,
  ];
  const by = author.name ?? unknownAuthor;
  // A theme may show the author in capitals, which the browser makes by the rules of the card's language.
  const capitals = by.toLocaleUpperCase(locale.language.tag);
  const names = [by, capitals, ...tags.map(({ name }) => name), ...plainTags];
  // The style sheet sets the comma between tags.
  const figures = [locale.count("likes", likes), locale.number(1_234_567_890), "،"];
  return [quote.text, ...names, ...words, ...figures].join(" ");
}

/** A typeface of a set, before it is subset. */
type LetterFace = ReturnType<typeof findFaces>[number];

const facesOf = memoise(findFaces);

/** The typefaces of a set: for every script but Latin and that of the site, whose full typefaces its pages declare. */
function findFaces(set: LetterSet) {
  const all = [...new Set(textOf(set).split(/\s+/u))].sort();
  const { script } = languageOf(siteSettings().site.language);
  const subsets = (Object.keys(FONT_FILES) as FontSubset[]).filter((subset) => {
    const { script: written } = FONT_FILES[subset];
    return subset !== "latin" && (written === "latin" || written !== script);
  });
  return subsets.flatMap((subset) => {
    const own = lettersIn(FONT_FILES[subset].range);
    const words = all.filter((word) => word.search(own) >= 0);
    // A word with a letter that its typeface lacks, as in ancient Greek, would be in two typefaces.
    if (words.filter(isCovered).length <= words.length / 2) return [];
    // The characters of the words that the typeface has.
    const letters = [...new Set(words.join("").match(own))].sort().join("");
    const source = Buffer.concat([readFont(subset), Buffer.from(`${WEIGHT} ${words.join(" ")}`)]);
    // The name of the file changes with the words and the typeface.
    return [{ subset, words, letters, file: `${subset}-${digest(source)}.woff2` }];
  });
}

/** Whether the typefaces have all letters of a word. */
function isCovered(word: string): boolean {
  return Array.from(word).every((letter) => !/\p{L}/u.test(letter) || COVERED.test(letter));
}

const digest = (content: Buffer | string): string => hash("sha256", content).slice(0, 16);

/** Matches the characters of a range of CSS, such as `U+0-FF,U+131`. */
function lettersIn(range: string): RegExp {
  const points = range.replaceAll("U+", "\\u{").replaceAll("-", "}-\\u{").replaceAll(",", "}");
  return new RegExp(`(?!${SHARED})[${points}}]`, "gu");
}

/** The letters of all typefaces. */
const COVERED = RegExp(
  Object.values(FONT_FILES)
    .map(({ range }) => lettersIn(range).source)
    .join("|"),
  "u",
);

const readFont = (subset: FontSubset): Buffer => readFileSync(resolve(fontFile(subset)));

/** Address of the style sheet of a set. Known before a typeface is subset. */
export function letterSheet(set: LetterSet): string {
  return href(`/letters/${sheetName(set)}`);
}

function sheetName(set: LetterSet): string {
  const files = facesOf(set).map(({ file }) => file);
  return `${set}-${digest(files.join())}.css`;
}

type Content = string | Uint8Array<ArrayBuffer>;

/** The result of `makeSets()`, which is called once. */
let made: ReturnType<typeof makeSets> | undefined;

/** Scripts whose typefaces are too large for a set: its page declares their full typefaces. */
export async function scriptsLeft(set: LetterSet): Promise<readonly Script[]> {
  return (await (made ??= makeSets())).left[set];
}

/** The files of all sets with an extension, for `getStaticPaths()`. */
export async function letterRoutes(ending: ".css" | ".woff2") {
  const { files } = await (made ??= makeSets());
  return [...files]
    .filter(([file]) => file.endsWith(ending))
    .map(([file, content]) => ({
      params: { file: file.slice(0, -ending.length) },
      props: { content },
    }));
}

export const respond: APIRoute<{ content: Content }> = ({ props }) => new Response(props.content);

/** Makes the style sheet and the typefaces of each set, within `MOST_BYTES`. Removes cached files that no set needs. */
async function makeSets() {
  const files = new Map<string, Content>();
  const left: Record<LetterSet, Script[]> = {
    home: [],
    today: [],
    authors: [],
    menus: [],
    search: [],
  };
  const folder = join(siteSettings().stateDir, "letters");
  // One after another: the compressor cannot run twice at the same time.
  for (const set of LETTER_SETS) {
    const rules: string[] = [];
    let room = MOST_BYTES[set];
    for (const face of facesOf(set)) {
      const { subset, letters, file } = face;
      const bytes = await loadFace(face, folder);
      if (bytes.length > room) {
        const { script } = FONT_FILES[subset];
        if (script !== "latin") left[set].push(script);
        continue;
      }
      room -= bytes.length;
      const points = [...letters].map((letter) => `U+${(letter.codePointAt(0) ?? 0).toString(16)}`);
      rules.push(
        `@font-face{font-family:"${FAMILY}";src:url("${file}") format("woff2");` +
          `font-display:swap;font-weight:${WEIGHT};unicode-range:${points.join()}}`,
      );
      files.set(file, bytes);
    }
    files.set(sheetName(set), `${rules.join("\n")}\n`);
  }
  const needed = new Set(LETTER_SETS.flatMap(facesOf).map(({ file }) => file));
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    if (!needed.has(file)) rmSync(join(folder, file));
  }
  return { files, left };
}

/** The subset in the cache, or a new one. */
async function loadFace(
  { subset, words, letters, file }: LetterFace,
  folder: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const path = join(folder, file);
  const kept = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  // A WOFF2 file contains its length.
  if (kept.length > 12 && kept.readUInt32BE(8) === kept.length) return new Uint8Array(kept);
  const bytes = await subsetFont(readFont(subset), words, letters, WEIGHT);
  makeFolder(folder);
  atomicWrite(path, bytes);
  return bytes;
}
