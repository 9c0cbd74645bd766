/**
 * Finds the surname of a person, by which the index of authors is sorted. Works, groups and people with one name stay as they
 * are.
 *
 * A language of quotes decides where a surname is: last in most of Europe, first in Hungarian, none in Icelandic or Tamil.
 */
import { fold } from "../util/fold.ts";

/** Codes of languages whose surnames are last. `be` is the service's code of Bengali. */
const SURNAME_LAST: ReadonlySet<string> = new Set(
  (
    "az bg bs ca cs da de el en eo es et eu fi fr ga gl hr hy it ka kk lt lv mk nb nl nn no pl pt ro ru sk sl sq sr " +
    "sv tr uk"
  ).split(" "),
);

/** Words between the given name and the surname: the index is sorted by what follows them. */
const PARTICLES: ReadonlySet<string> = new Set(
  (
    "af al av aus ben bin da dal dalla das de degli dei del dela della den der des di do dos du e el ibn la las le los " +
    "op 't te ten ter tot van vom von y zu zum zur ван да дас де дель дер ди ду ла ле оф фон цу"
  ).split(" "),
);

/** A name that begins with one is a work, a group, or a surname without a given name. */
const ARTICLES: ReadonlySet<string> = new Set(
  "a an das de den der det die ein eine el gli het i il l la las le les lo los o os the un una une".split(
    " ",
  ),
);

/** Not part of a name. */
const SUFFIX = /,?\s+(?:jr|sr|junior|senior|ph\.?d|m\.?d)\.?$/iu;

/** A numeral of a ruler or a pope. */
const NUMERAL = /^[IVX]+\.?$/u;

/** Last words that are no surname. */
const NO_SURNAMES: ReadonlySet<string> = new Set(
  "bible lama proverb proverbio proverbe proverbs saying sayings sprichwort testament tse tzu zi".split(
    " ",
  ),
);

/** Chinese, Korean and Vietnamese surnames of people who are known by their names in that order. */
const SURNAME_FIRST: ReadonlySet<string> = new Set(
  "deng ho kim lao mao sun thich xi zhou zhuang".split(" "),
);

/** Words of a name: letters with points, hyphens and apostrophes. */
const WORD = /^[\p{L}\p{M}.'’-]+$/u;
const CAPITAL = /^['’]?\p{Lu}/u;
const MOST_WORDS = 6;

/**
 * The name as the index sorts it, folded.
 *
 * @param language code of most of the author's quotes
 */
export function indexKey(name: string, language: string): string {
  const words = name.replace(SUFFIX, "").split(/\s+/u);
  const at = surnameAt(words, language);
  return fold([...words.slice(at), ...words.slice(0, at)].join(" "));
}

/** Where the surname begins; 0 for a name that stays as it is. */
function surnameAt(words: readonly string[], language: string): number {
  const primary = language.toLowerCase().split("-")[0] ?? "";
  const folded = words.map((word) => word.toLowerCase());
  const [first = ""] = folded;
  const last = folded.at(-1) ?? "";
  const isPerson =
    words.length > 1 &&
    words.length <= MOST_WORDS &&
    SURNAME_LAST.has(primary) &&
    words.every((word, index) => {
      const isParticle = PARTICLES.has(folded[index] ?? "");
      return WORD.test(word) && folded[index] !== "the" && (CAPITAL.test(word) || isParticle);
    });
  const stays =
    ARTICLES.has(first) ||
    SURNAME_FIRST.has(first) ||
    NO_SURNAMES.has(last) ||
    NUMERAL.test(words.at(-1) ?? "");
  if (!isPerson || stays) return 0;
  const particle = folded.findIndex((word, index) => index > 0 && PARTICLES.has(word));
  if (particle < 0) return words.length - 1;
  const after = folded.findIndex((word, index) => index > particle && !PARTICLES.has(word));
  return after < 0 ? words.length - 1 : after;
}
