/** Reads a YAML file of `site/` as maps, and names the file and the line of what is wrong in it. */
import { existsSync, statSync } from "node:fs";
import { LineCounter, parseDocument, type Document } from "yaml";
import { z } from "zod";
import { ConfigurationError } from "../contract/errors.ts";
import { nameOf } from "../files/name-of.ts";
import { plainLine } from "../util/text.ts";
import { sourceOf } from "./load-config.ts";

/** Bytes: some 50,000 entries. A larger file would take minutes to parse. */
const MOST_BYTES = 5e6;

/** Keys from the outside in. */
export type Path = readonly unknown[];

/** @throws {ConfigurationError} naming the keys, the file, the line and the reason */
export type Refuse = (path: Path, why: string) => never;

/** A text of a file on one line, of at most so many UTF-16 units; a number is taken as it is written. */
export const textLine = (most: number) =>
  z
    .union([z.string(), z.number()], "expected text")
    .transform((raw) => plainLine(String(raw)))
    .pipe(z.string().max(most, `expected at most ${most} characters`));

/**
 * @param whole what the content of the file is called
 * @returns the content, with maps in place of objects, since a key such as `__proto__` is a key; null without a file
 * @throws {ConfigurationError} when it is too large or is no YAML
 */
export function readYaml(file: string, whole: string): { root: unknown; refuse: Refuse } | null {
  if (!existsSync(file)) return null;
  if (statSync(file).size > MOST_BYTES) {
    throw new ConfigurationError(
      `Cannot read ${nameOf(file)}: it is larger than ${MOST_BYTES / 1e6} MB`,
    );
  }
  const { name, text } = sourceOf(file);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw new ConfigurationError(`Cannot read ${name}:${line}: ${error.message}, column ${col}`, {
      cause: error,
    });
  }
  const refuse = (path: Path, why: string): never => {
    const key = path.length === 0 ? whole : path.join(".");
    throw new ConfigurationError(
      `Cannot use ${key} of ${name}${lineIn(document, lines, path)}: ${why}`,
    );
  };
  try {
    return { root: document.toJS({ mapAsMap: true, maxAliasCount: 100 }), refuse };
  } catch (error) {
    // Aliases that would fill the memory.
    if (error instanceof ReferenceError) return refuse([], error.message);
    throw error;
  }
}

function lineIn(document: Document, lines: LineCounter, path: Path): string {
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
  const range = typeof node === "object" && node !== null && "range" in node ? node.range : null;
  return Array.isArray(range) ? `:${lines.linePos(Number(range[0])).line}` : "";
}
