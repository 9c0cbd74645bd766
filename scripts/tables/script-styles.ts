/** Writes `src/styles/scripts.css` from the tables of scripts and of quotation marks. */
import { QUOTATION_MARKS } from "../../src/contract/quotation-marks.ts";
import {
  moreLeading,
  SCRIPT_SETTINGS,
  SYSTEM_FACES,
  type ScriptSetting,
  FACE_SCRIPTS,
} from "../../src/contract/scripts.ts";

const HEAD = `/*
 * How each script is set and which marks each language has. \`npm run format\` writes this file from the tables in
 * src/contract/scripts.ts and src/contract/quotation-marks.ts.
 */
`;

const rule = (selector: string, body: readonly string[]): string =>
  `${selector} {\n${body.map((line) => `${line};\n`).join("")}}\n`;

/** Chromium has no list of languages in one \`:lang()\`. */
const langs = (languages: readonly string[]): string =>
  `:is(${languages.map((tag) => `:lang(${tag})`).join(", ")})`;

const list = (faces: readonly string[]): string => faces.map((face) => `"${face}"`).join(", ");

const TOKENS = ["--more-leading", "--more-leading-quote", "--more-leading-display"];

/** Leading and spacing, which many scripts have in common. */
function spaces(setting: ScriptSetting): string[] {
  return [
    ...moreLeading(setting).flatMap((more, index) =>
      more === 0 ? [] : [`${TOKENS[index] ?? ""}: ${more}`],
    ),
    // Important: no theme spaces letters that join, hang from a headline or fill squares.
    ...(setting.spaced
      ? []
      : ["--tracking-display: normal !important", "--tracking-caps: normal !important"]),
  ];
}

/** What a script has for itself. */
function faces(code: string, { optical, faces, ownFaceFirst, breaks }: ScriptSetting): string[] {
  const face = FACE_SCRIPTS[code];
  // Its own letters come first in a line that it shares with another script's, such as the danda of Hindi and Bengali.
  const own = face !== undefined && SHARE_DANDA.has(face) ? `var(--font-${face}, ${face})` : null;
  const first = ownFaceFirst === true ? list(faces ?? []) : own;
  return [
    ...(first === null ? [] : [`--face-text: ${first}, var(--faces)`]),
    ...(faces === undefined || ownFaceFirst === true ? [] : [`--faces-system: ${list(faces)}`]),
    ...(optical === 1 ? [] : [`--optical: ${optical}`]),
    ...(breaks === "strict" ? ["line-break: strict"] : []),
    ...(breaks === "words" ? ["word-break: keep-all"] : []),
  ];
}

const SHARE_DANDA: ReadonlySet<string> = new Set(["devanagari", "bengali", "telugu"]);

/** A rule for each set of declarations, with the languages that have it. */
function rulesFor(languagesOf: ReadonlyMap<string, readonly string[]>): string[] {
  return [...languagesOf].map(([body, languages]) => rule(langs(languages), body.split(";\n")));
}

/** Languages by what they have in common. */
function grouped<Row>(
  rows: readonly Row[],
  bodyOf: (row: Row) => string,
  languagesOf: (row: Row) => readonly string[],
): Map<string, readonly string[]> {
  const groups = Map.groupBy(
    rows.filter((row) => bodyOf(row) !== ""),
    bodyOf,
  );
  return new Map(
    Array.from(groups, ([body, members]) => [body, members.flatMap(languagesOf)] as const),
  );
}

export function scriptStyles(): string {
  const rows = Object.entries(SCRIPT_SETTINGS).filter(([, { languages }]) => languages.length > 0);
  const ofScript = ([, { languages }]: (typeof rows)[number]) => languages;
  const rules = [
    rule("[lang]", [
      'quotes: "“" "”"',
      `--faces-system: ${list(SYSTEM_FACES)}`,
      ...TOKENS.map((token) => `${token}: 0`),
    ]),
    ...rulesFor(grouped(rows, ([, setting]) => spaces(setting).join(";\n"), ofScript)),
    ...rulesFor(grouped(rows, ([code, setting]) => faces(code, setting).join(";\n"), ofScript)),
    // A mark hangs without the blank that French has.
    ...rulesFor(
      grouped(
        QUOTATION_MARKS,
        ([open, close]) => `quotes: "${open.trim()}" "${close.trim()}"`,
        ([, , languages]) => languages.split(" "),
      ),
    ),
  ];
  return `${HEAD}@layer commonplace.base {\n${rules.join("\n")}}\n`;
}
