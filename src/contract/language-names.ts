/** Names of languages, which some services write in the place of codes: "English", "Français". */
import { isLanguageCode, languageName, LANGUAGES, UNDETERMINED } from "./languages.ts";

/** Codes of ISO 639-1. Not "be", which the contract has for Bengali. */
const CODES =
  `aa ab af ak am an ar as av ay az ba bg bi bm bn bo br bs ca ce ch co cs cv cy da de dv dz ee el en eo es et eu fa ff fi
  fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy ia id ie ig ii ik io is it iu ja jv ka kg ki kk kl km kn ko kr ks ku kv kw ky
  la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro
  ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh
  yi yo za zh zu`.split(/\s+/);

/** Names that are usual beside those of `Intl`. */
const USUAL = {
  ...{ bengali: "bn", farsi: "fa", mandarin: "zh", castilian: "es", tagalog: "tl", panjabi: "pa" },
  ...{ "chinese (simplified)": "zh-Hans", "chinese (traditional)": "zh-Hant" },
  ...{ "portuguese (brazil)": "pt-BR", "english (us)": "en-US", "english (uk)": "en-GB" },
};

/** What stands in the place of a language that is not known. */
const UNKNOWN = ["unknown", "undefined", "undetermined", "none", "null", "other", "n/a"];

/** How a code begins: a name has more letters. */
const CODE = /^[a-z]{2,3}(?:-|$)/i;

let names: ReadonlyMap<string, string> | undefined;

const fold = (name: string): string => name.normalize("NFC").toLowerCase();

/** The code of each name, folded: in English, and in the language itself. */
function codesByName(): ReadonlyMap<string, string> {
  const all = Object.values(LANGUAGES).map(({ name, tag }): [string, string] => [name, tag]);
  for (const code of CODES) {
    for (const reader of ["en", code]) {
      const name = languageName(code, reader);
      if (name !== null) all.push([name, code]);
    }
  }
  const unknown = UNKNOWN.map((name) => [name, UNDETERMINED] as const);
  return new Map(
    [...all, ...Object.entries(USUAL), ...unknown].map(([name, code]) => [fold(name), code]),
  );
}

/** The code of what a service writes as a language: a code as it is, that of a name, else the one for an undetermined language. */
export function readLanguage(served: string): string {
  if (CODE.test(served)) return isLanguageCode(served) ? served : UNDETERMINED;
  names ??= codesByName();
  return names.get(fold(served)) ?? (isLanguageCode(served) ? served : UNDETERMINED);
}

/** The English name of a code, by which some services filter; null for none. */
export function englishName(code: string): string | null {
  return isLanguageCode(code) ? languageName(code, "en") : null;
}
