/**
 * Reads the colours of Open Graph images and of the browser's window from the style sheets of the site.
 *
 * An image cannot follow the reader's colour scheme. It is light, except for a theme whose `:root` is dark.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  transform,
  type Declaration,
  type Selector,
  type TokenOrValue,
  type Visitor,
} from "lightningcss";
import { ConfigurationError } from "../contract/errors.ts";
import type { OgTheme } from "../contract/picture.ts";
import { nameOf } from "../files/name-of.ts";
import { themeFolders, themeSheets, type ThemePlaces } from "./theme.ts";

/** Custom properties of `:root`, and whether its `color-scheme` is only dark. */
type RootTokens = ReturnType<typeof rootTokens>;

/**
 * @returns colours as `#rrggbb`
 * @throws {ConfigurationError} when a token is not a colour, or a sheet cannot be read
 */
export function themeColours(theme: string, places: ThemePlaces): OgTheme {
  const tokens = rootTokens(theme, places);
  const paper = colourOf("--paper", theme, tokens, canvas(tokens));
  const colour = (token: string): string => colourOf(token, theme, tokens, paper);
  return {
    paper,
    ink: colour("--ink"),
    muted: colour("--ink-soft"),
    accent: colour("--accent"),
  };
}

/**
 * The background of a page by the colour scheme of the system, for the browser's window (`theme-color`), and of icons.
 *
 * @returns colours as `#rrggbb`
 * @throws {ConfigurationError} when the token is not a colour, or a sheet cannot be read
 */
export function themePapers(theme: string, places: ThemePlaces) {
  const tokens = rootTokens(theme, places);
  const paper = (darkFirst: boolean) =>
    colourOf("--paper", theme, { ...tokens, darkFirst }, canvas({ darkFirst }));
  return { light: paper(tokens.darkFirst), dark: paper(true), icon: paper(false) };
}

/**
 * Reads the declarations of the plain `:root` and `html` rules of all sheets and of the files that they import. Rules inside
 * `@media` and `@supports` do not count.
 */
function rootTokens(theme: string, places: ThemePlaces) {
  const values = new Map<string, TokenOrValue[]>();
  let darkFirst = false;
  const take = ({ property, value }: Declaration): void => {
    if (property === "custom") values.set(value.name, withoutNull(value.value));
    else if (property === "color-scheme") darkFirst = value.dark && !value.light;
  };
  const base = join(places.packageRoot, "src/styles/tokens.css");
  const read = (sheet: string, importing: readonly string[] = []): void =>
    readSheet(sheet, {
      Rule: {
        import({ value: { url, media, supports } }) {
          const imported = join(dirname(sheet), url);
          const isPlain = media.mediaQueries.length === 0 && !supports;
          const above = [...importing, sheet];
          const isSheet = imported.endsWith(".css") && existsSync(imported);
          if (isPlain && isSheet && !above.includes(imported)) read(imported, above);
        },
        media: () => [],
        supports: () => [],
        style: ({ value: { selectors, declarations } }) => {
          if (!selectors.some(isRoot)) return;
          declarations.declarations.forEach(take);
          declarations.importantDeclarations.forEach(take);
        },
      },
    });
  [base, ...themeSheets(themeFolders(theme, places), places.site)].forEach((sheet) => read(sheet));
  return { values, darkFirst };
}

/** Makes tokens readable for the parser that wrote them: it refuses null in a `var()`, and NaN for `none` in a colour. */
function withoutNull(tokens: readonly TokenOrValue[]): TokenOrValue[] {
  const readable = (_: string, value: unknown): unknown =>
    Number.isNaN(value) ? 0 : (value ?? undefined);
  return JSON.parse(JSON.stringify(tokens, readable)) as TokenOrValue[];
}

/** Whether a selector is the root without a condition, such as `html:root` or `:where(:root)`. */
function isRoot(selector: Selector): boolean {
  return selector.every((part) => {
    if (part.type === "type") return part.name === "html";
    if (part.type !== "pseudo-class") return false;
    if (part.kind === "is" || part.kind === "where") return part.selectors.some(isRoot);
    return part.kind === "root";
  });
}

/** A deeper chain of `var()` is a cycle. */
const MAX_STEPS = 8;

/** The colour that a browser shows behind a page. */
const canvas = ({ darkFirst }: Pick<RootTokens, "darkFirst">) =>
  darkFirst ? "#000000" : "#ffffff";

/** @param behind colour behind a transparent one, as `#rrggbb` */
function colourOf(
  token: string,
  theme: string,
  { values, darkFirst }: RootTokens,
  behind: string,
): string {
  let css = `a { color: var(${token}) }`;
  for (let step = 0; step < MAX_STEPS && css.includes("var("); step++) {
    css = print(css, token, {
      Variable: ({ name, fallback }) => values.get(name.ident) ?? withoutNull(fallback ?? []),
    });
  }
  const found: string[] = [];
  const visitor: Visitor<never> = {
    Declaration: {
      color({ property, value }) {
        if (property !== "color" || typeof value === "string") return undefined;
        if (value.type === "light-dark") {
          return { property, value: darkFirst ? value.dark : value.light };
        }
        if (value.type !== "rgb") return undefined;
        const { r, g, b, alpha } = value;
        const under = Buffer.from(behind.slice(1), "hex");
        const parts = [r, g, b].map((part, at) => part * alpha + (under[at] ?? 0) * (1 - alpha));
        found.push(`#${Buffer.from(parts.map(Math.round)).toString("hex")}`);
        return undefined;
      },
    },
  };
  print(print(css, token, visitor, OLD_BROWSER), token, visitor);
  // A colour outside sRGB becomes two declarations, the first of them in sRGB.
  if (found[0] !== undefined) return found[0];
  throw new ConfigurationError(
    `Cannot use ${token} of theme ${JSON.stringify(theme)} for images: expected a CSS colour, or light-dark() of two`,
  );
}

/** @throws {ConfigurationError} with file and line, when a sheet is not valid CSS */
export function readSheet(file: string, visitor: Visitor<never> = {}): void {
  // A byte order mark would become part of the first selector.
  print(readFileSync(file, "utf8").replace(/^\uFEFF/, ""), file, visitor);
}

/** A browser that knows sRGB only. */
const OLD_BROWSER = { chrome: 60 << 16 };

/** @throws {ConfigurationError} with the line, when the text is not valid CSS */
function print(css: string, file: string, visitor: Visitor<never>, targets = {}): string {
  try {
    const { code } = transform({ filename: file, code: Buffer.from(css), targets, visitor });
    return code.toString();
  } catch (error) {
    const { loc, message } = error as Error & { loc?: { line: number; column: number } };
    if (loc === undefined) throw error;
    const at = `${nameOf(file)}:${loc.line}:${loc.column}`;
    throw new ConfigurationError(`Cannot read ${at}: ${message}`, { cause: error });
  }
}
