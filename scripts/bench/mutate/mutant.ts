/** A bug to seed: a text of one file, and what replaces it. */
export interface Mutant {
  /** Path in the repository. */
  readonly file: string;
  /** Offset of the text in the file. */
  readonly at: number;
  readonly before: string;
  readonly after: string;
  /** What a tired engineer did. */
  readonly what: string;
  /** Tests to run instead of those that import the module. */
  readonly tests?: readonly string[];
}

/** The stage of a module: the folder of `src` that it is in. */
export const stageOf = (file: string): string => file.split("/")[1] ?? "";

export function applied(source: string, { at, before, after }: Mutant): string {
  if (source.slice(at, at + before.length) !== before)
    throw new RangeError(`Cannot seed ${JSON.stringify(before)}: it is not at ${at}`);
  return source.slice(0, at) + after + source.slice(at + before.length);
}

/** One line for a report: file, line and change. */
export function lineOf(source: string, { file, at, before, after, what }: Mutant): string {
  const line = source.slice(0, at).split("\n").length;
  const short = (text: string): string => JSON.stringify(text.replace(/\s+/g, " ").slice(0, 60));
  return `${file}:${line} ${what}: ${short(before)} → ${short(after)}`;
}
