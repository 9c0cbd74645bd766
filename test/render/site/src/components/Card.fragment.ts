import { digest, lines, type Line } from "../data.ts";

export const fragmentKey = ({ line, loud }: { line: Line; loud?: boolean }): string =>
  digest([line, loud]);

export const everyFragment = ({ index, count }: { index: number; count: number }) =>
  lines.filter((_, place) => place % count === index - 1).map((line) => ({ line }));
