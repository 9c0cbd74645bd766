/** A byline is the same on every page. Its key holds what a key may hold: line ends, and more than Latin letters. */
import Byline from "./components/Byline.astro";
import { lines, type Line } from "./data.ts";

export { Byline as component };

let find: (id: number) => Uint8Array | undefined = () => undefined;

const keyOf = (line: Line): string => `${line.id}\n\u0430\u00FF${line.by ?? ""}`;

export function use(found: typeof find): void {
  find = found;
}

export function keptByline(line: Line): Uint8Array | undefined {
  return find(line.id);
}

export function* entries(
  { index, count }: { readonly index: number; readonly count: number },
  isKept: (id: number, key: string) => boolean,
): Generator<readonly [number, string, object | null]> {
  for (const [place, line] of lines.entries()) {
    if (place % count !== index - 1) continue;
    const key = keyOf(line);
    yield [line.id, key, isKept(line.id, key) ? null : { line }];
  }
}
