/** The same key as a card's: two components may have keys that are alike. */
import { digest, type Line } from "../data.ts";

export const fragmentKey = ({ line }: { line: Line }): string => digest([line, undefined]);
