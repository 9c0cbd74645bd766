import { digest, type Line } from "../data.ts";

export const fragmentKey = ({ line, loud }: { line: Line; loud?: boolean }): string =>
  digest([line, loud]);
