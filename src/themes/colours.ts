/**
 * The four colours of a theme that cards are set in, read from its tokens: one place to change them.
 *
 * A card is a picture and cannot follow the reader's scheme. It is light, but for a theme that is dark first.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError } from "../contract/errors.ts";
import type { CardTheme } from "../contract/picture.ts";
import { themeFolder } from "./resolve.ts";

/** @throws {ConfigurationError} when a token is no `light-dark(#rrggbb, #rrggbb)` or plain `#rrggbb` */
export function themeColours(theme: string, root: string): CardTheme {
  const sheets = [join(root, "src/styles/tokens.css"), join(themeFolder(theme, root), "tokens.css")]
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, "utf8"));
  const darkFirst = /color-scheme:\s*dark\b/.test(sheets.at(-1) ?? "");
  const colour = (token: string): string => {
    const values = sheets.map((sheet) => valueOf(sheet, token, darkFirst));
    const last = values.findLast((value) => value !== null) ?? null;
    if (last !== null) return last;
    throw new ConfigurationError(
      `Cannot use theme ${JSON.stringify(theme)}: ${token} is no colour`,
    );
  };
  return {
    paper: colour("--paper"),
    ink: colour("--ink"),
    muted: colour("--ink-soft"),
    accent: colour("--accent"),
  };
}

const HEX = "#(?:[0-9a-f]{6}|[0-9a-f]{3})";

function valueOf(sheet: string, token: string, dark: boolean): string | null {
  const pair = new RegExp(`${token}:\\s*light-dark\\((${HEX}),\\s*(${HEX})\\)`, "i").exec(sheet);
  const plain = new RegExp(`${token}:\\s*(${HEX});`, "i").exec(sheet);
  const found = pair === null ? plain?.[1] : pair[dark ? 2 : 1];
  return found === undefined ? null : longHex(found);
}

/** `#fff` is `#ffffff`. */
function longHex(colour: string): string {
  return colour.length === 4 ? colour.replace(/[0-9a-f]/gi, "$&$&") : colour;
}
