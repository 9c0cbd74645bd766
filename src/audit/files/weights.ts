/** How much the sheets, scripts and typefaces of a site weigh, each compressed once however many pages ask for it. */
import { posix } from "node:path";
import { gzipSync } from "node:zlib";

/** What a module loads before it runs; what it loads later, if ever, does not delay the page. */
const IMPORTS = /\b(?:from|import)\s*["'](\.{1,2}\/[^"']+)["']/g;

/** A typeface that a sheet declares, by its path from there. */
const FACES = /\burl\("?([^")]+\.woff2)"?\)/g;

/**
 * @param read a file of the site; null where there is none
 * @returns bytes of a sheet, of a script with what it imports, of a typeface, and of the typefaces that a sheet declares
 */
export function weighFiles(read: (file: string) => Buffer | null) {
  const content = (file: string): Buffer => read(file) ?? Buffer.alloc(0);
  /** Files that a file names, by a pattern whose first group is the path from there. */
  const named = (file: string, pattern: RegExp): string[] =>
    Array.from(content(file).toString("latin1").matchAll(pattern), ([, path = ""]) =>
      posix.join(posix.dirname(file), path),
    );
  const compressed = once((file) => gzipSync(content(file)).length);
  const imports = once((file) => named(file, IMPORTS));
  const font = once((file) => content(file).length);
  return {
    font,
    facesOf: once((sheet) => sum(named(sheet, FACES), font)),
    sheet: compressed,
    script: once((file) => {
      const wanted = new Set([file]);
      // A set that grows while it is gone through is gone through to its end.
      for (const module of wanted) for (const other of imports(module)) wanted.add(other);
      return sum(wanted, compressed);
    }),
  };
}

function sum(files: Iterable<string>, weigh: (file: string) => number): number {
  return Array.from(files, weigh).reduce((total, bytes) => total + bytes, 0);
}

/** Asks of each file once. */
function once<T>(ask: (file: string) => T): (file: string) => T {
  const known = new Map<string, T>();
  return (file) => known.getOrInsertComputed(file, ask);
}
