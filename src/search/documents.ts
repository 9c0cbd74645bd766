/**
 * Makes the documents of the index from the listing of a language: blocks of its cards by id, without what votes change.
 *
 * Votes move quotes between the pages of a listing, and change no document. A quote that is added or edited changes one.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A listing page is a document of some 50 quotes to a reader, so blocks have about as many. */
const MOST_QUOTES = 64;

/** Ids are safe integers. */
const ALL_IDS = 2 ** 53;

const CARD = /<article [^>]*?\bid="q(\d+)".*?<\/article>/gs;

/** Parts of a card that are not indexed: votes change the likes, and where a permalink leads to. */
const UNINDEXED = /<(?:(li|a) class="(?:likes|do|permalink)"|(vote-box)\b).*?<\/(?:\1|\2)>/gs;

const BODY = /<([\w-]+)\b[^>]*?\bdata-pagefind-body\b/;

interface Card {
  readonly id: number;
  /** In the listing, from 0. */
  readonly rank: number;
  /** Bytes of UTF-8, one a character. */
  readonly html: string;
}

export interface SearchDocument {
  /** The least id that its block may have. */
  readonly from: number;
  /** Of its cards, in the order of their ids. */
  readonly ranks: readonly number[];
  /** Bytes of UTF-8, one a character. */
  readonly html: string;
}

/** @param pages paths of the pages of a listing, below `outDir` */
export function documentsOf(outDir: string, pages: readonly string[]) {
  const numbered = pages.map((path) => ({
    path,
    number: Number(/\/(\d+)\//.exec(path)?.[1] ?? 1),
  }));
  const read = numbered.map(({ path, number }) => ({
    number,
    cards: cardsOn(readFileSync(join(outDir, path), "latin1")),
  }));
  const perPage = Math.max(...read.map(({ cards }) => cards.length));
  const cards = read.flatMap(({ number, cards }) =>
    cards.map((card, at): Card => ({ ...card, rank: (number - 1) * perPage + at })),
  );
  cards.sort((a, b) => a.id - b.id);
  return { perPage, documents: [...blocksOf(cards, 0, ALL_IDS)] };
}

/** The cards of a page's listing, and not those that a theme shows beside it. */
function cardsOn(html: string): Pick<Card, "id" | "html">[] {
  const start = BODY.exec(html);
  if (start === null) return [];
  const [, element = ""] = start;
  const tags = new RegExp(`<(/?)${element}\\b`, "g");
  let depth = 0;
  let end = html.length;
  for (const { index, 1: isEnd } of html.slice(start.index).matchAll(tags)) {
    depth += isEnd === "" ? 1 : -1;
    if (depth > 0) continue;
    end = start.index + index;
    break;
  }
  return Array.from(html.slice(start.index, end).matchAll(CARD), ([card, id]) => ({
    id: Number(id),
    html: card.replace(UNINDEXED, ""),
  }));
}

/** Halves a range of ids until each part has few cards: so the bounds of a block depend on its own quotes alone. */
function* blocksOf(
  cards: readonly Card[],
  from: number,
  width: number,
): Generator<SearchDocument, void> {
  if (cards.length === 0) return;
  if (cards.length <= MOST_QUOTES || width === 1) {
    const body = cards.map(({ html }) => html).join("");
    yield {
      from,
      ranks: cards.map(({ rank }) => rank),
      html: `<!doctype html><html><body><div data-pagefind-body>${body}</div></body></html>`,
    };
    return;
  }
  const middle = from + width / 2;
  const upper = cards.findIndex(({ id }) => id >= middle);
  const end = upper < 0 ? cards.length : upper;
  yield* blocksOf(cards.slice(0, end), from, width / 2);
  yield* blocksOf(cards.slice(end), middle, width / 2);
}
