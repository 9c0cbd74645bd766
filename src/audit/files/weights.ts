/** Measures the style sheets, scripts and fonts that pages load; each file is compressed once for all pages. */
import { posix } from "node:path";
import { gzipSync } from "node:zlib";
import { memoise } from "../../util/memoise.ts";

/** Static imports; a dynamic import does not delay the page. */
const IMPORTS = /\b(?:from|import)\s*["'](\.{1,2}\/[^"']+)["']/g;

/** Fonts that a style sheet declares. */
const FACES = /\burl\("?([^")]+\.woff2)"?\)/g;

/**
 * Classes of which one is on each kind of page, and each styled by another sheet. Where names of folders differ from the file
 * system in case, the bundler loses sheets without an error (docs/platforms.md).
 */
export const STYLED = [
  "masthead",
  "pair",
  "onward",
  "filters",
  "prose",
  "months",
  "trend",
] as const;

/**
 * @param read returns null for a file that does not exist
 * @returns functions that measure, in bytes: a style sheet, a script with its imports, a font, the fonts that a sheet declares; and
 *   one that says which of `STYLED` a sheet styles
 */
export function weighFiles(read: (file: string) => Buffer | null) {
  const content = (file: string): Buffer => read(file) ?? Buffer.alloc(0);
  /** @param pattern its first group is a path relative to the file */
  const named = (file: string, pattern: RegExp): string[] =>
    Array.from(content(file).toString("latin1").matchAll(pattern), ([, path = ""]) =>
      posix.join(posix.dirname(file), path),
    );
  const compressed = memoise((file: string) => gzipSync(content(file)).length);
  const imports = memoise((file: string) => named(file, IMPORTS));
  const font = memoise((file: string) => content(file).length);
  return {
    font,
    facesOf: memoise((sheet: string) => sum(named(sheet, FACES), font)),
    sheet: compressed,
    styles: memoise((sheet: string): ReadonlySet<string> => {
      const css = content(sheet).toString("latin1");
      return new Set(STYLED.filter((name) => new RegExp(`\\.${name}(?![\\w-])`).test(css)));
    }),
    script: memoise((file: string) => {
      const wanted = new Set([file]);
      // Iteration over a Set includes elements that are added meanwhile.
      for (const module of wanted) for (const other of imports(module)) wanted.add(other);
      return sum(wanted, compressed);
    }),
  };
}

function sum(files: Iterable<string>, weigh: (file: string) => number): number {
  return Array.from(files, weigh).reduce((total, bytes) => total + bytes, 0);
}
