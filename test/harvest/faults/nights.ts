/** A small collection that is another each night: some quotes gone, some new, some changed. */
import type { WireQuote } from "../../../src/contract/quote.ts";
import { wireQuote } from "../../support/service/index.ts";

const SIZE = 150;

export function collectionAt(night: number): WireQuote[] {
  return Array.from({ length: SIZE }, (_, at) => at + 1 + 3 * night).map((pk) =>
    pk % 10 === night % 10 ? wireQuote(pk, { likes: 100 + night }) : wireQuote(pk),
  );
}
