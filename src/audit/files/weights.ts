/** How much the sheets, scripts and typefaces of a site weigh, each compressed once however many pages ask for it. */
import { posix } from "node:path";
import { gzipSync } from "node:zlib";
import type { FileWeights } from "../page/weight.ts";

/** What a module loads before it runs; what it loads later, if ever, does not delay the page. */
const IMPORTS = /\b(?:from|import)\s*["'](\.{1,2}\/[^"']+)["']/g;

/** A typeface that a sheet declares, beside it. */
const FACES = /\burl\("?([^")]+\.woff2)"?\)/g;

/** @param read a file of the site; null where there is none */
export function weighFiles(read: (file: string) => Buffer | null): FileWeights {
  const files = new Map<string, { readonly bytes: number; readonly imports: readonly string[] }>();
  const facts = (file: string) => {
    const known = files.get(file);
    if (known !== undefined) return known;
    const content = read(file) ?? Buffer.alloc(0);
    const imports = file.endsWith(".css")
      ? []
      : Array.from(content.toString("latin1").matchAll(IMPORTS), ([, path = ""]) =>
          posix.join(posix.dirname(file), path),
        );
    const made = { bytes: gzipSync(content).length, imports };
    files.set(file, made);
    return made;
  };
  const scripts = new Map<string, number>();
  const fonts = new Map<string, number>();
  const font = (file: string): number => {
    const bytes = fonts.get(file) ?? read(file)?.length ?? 0;
    fonts.set(file, bytes);
    return bytes;
  };
  const faces = new Map<string, number>();
  return {
    font,
    facesOf: (sheet) => {
      const known = faces.get(sheet);
      if (known !== undefined) return known;
      const declared = (read(sheet) ?? "").toString().matchAll(FACES);
      const files = Array.from(declared, ([, face = ""]) => posix.join(posix.dirname(sheet), face));
      const bytes = files.reduce((sum, file) => sum + font(file), 0);
      faces.set(sheet, bytes);
      return bytes;
    },
    sheet: (file) => facts(file).bytes,
    script: (file) => {
      let total = scripts.get(file);
      if (total === undefined) {
        const wanted = new Set([file]);
        // A set that grows while it is gone through is gone through to its end.
        for (const module of wanted) for (const other of facts(module).imports) wanted.add(other);
        total = [...wanted].reduce((sum, module) => sum + facts(module).bytes, 0);
        scripts.set(file, total);
      }
      return total;
    },
  };
}
