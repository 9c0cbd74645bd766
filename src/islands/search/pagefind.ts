/**
 * The part of Pagefind that the search uses, loaded at the first search in a language, and the quotes of a listing page, cut
 * out of the text that Pagefind keeps of it.
 *
 * Each language has a bundle of its own, `pagefind/<code>/`: a bundle runs the stemmer of one language only. It runs in
 * the page and not in its worker, since the worker is a second download of the same code.
 */

/** An element of a listing page that has an `id`, with its text and where in the page it begins, counted in words. */
interface Anchor {
  readonly element: string;
  readonly id: string;
  readonly text: string;
  readonly location: number;
}

/** A listing page as the index keeps it. */
export interface Fragment {
  /** Below the root of the site: `/language/en/2/`. */
  readonly raw_url: string;
  /** All text of its cards, with single spaces. */
  readonly content: string;
  /** The same with `<` and `>` escaped, and U+200B between the words where a language writes no spaces. */
  readonly raw_content: string;
  readonly anchors: readonly Anchor[];
}

/** A listing page on which words were found. */
export interface PageHit {
  /** Where in the page the words are, counted in words, in ascending order. */
  readonly words: readonly number[];
  data(): Promise<Fragment>;
}

export interface Engine {
  /**
   * Pages that hold all the words or words of the same stem, best first; every page for null.
   *
   * @param options `sort`: by the number in `data-pagefind-sort`
   */
  search(
    words: string | null,
    options?: { readonly sort: { readonly page: "asc" } },
  ): Promise<{ readonly results: readonly PageHit[] }>;
  filters(): Promise<unknown>;
}

const engines = new Map<string, Promise<Engine>>();

/** A browser asks again for a module that it could not load only at another address. */
let failures = 0;

/** @param folder address of a language's bundle, with a slash at the end */
export function openEngine(folder: string): Promise<Engine> {
  const engine = engines.get(folder) ?? loadEngine(folder);
  engines.set(folder, engine);
  return engine;
}

async function loadEngine(folder: string): Promise<Engine> {
  try {
    const address = `${folder}pagefind.js${failures === 0 ? "" : `?${failures}`}`;
    const { createInstance } = (await import(/* @vite-ignore */ address)) as {
      createInstance: (options: { basePath: string; noWorker: boolean }) => Engine;
    };
    const engine = createInstance({ basePath: folder, noWorker: true });
    // Loads the rest: an engine that lacks it once fails for ever.
    await engine.filters();
    return engine;
  } catch (error) {
    failures++;
    engines.delete(folder);
    throw error;
  }
}

export interface IndexedCard {
  readonly id: number;
  /** Below the root of the site, with the quote's anchor: `/language/en/2/#q17`. */
  readonly path: string;
  /** The text of the quote, word by word, punctuation included. */
  readonly words: readonly string[];
  /** The text between two words: empty in languages that write no spaces. */
  readonly joiner: string;
  readonly author: string;
  /** Names of the tags, as text. */
  readonly tags: string;
  /** Which words of the card were found, counted from the first word of the text; the author's and the tags' follow. */
  readonly found: readonly number[];
  /** Those words, with the ones of the author and the tags. */
  readonly foundWords: readonly string[];
}

/** How Pagefind splits its text into words. */
const SPACES = /[^\S\uFEFF]+/u;

/**
 * A card begins at the anchor `q<pk>` and its author at `b<pk>`. An anchor without its partner is no card: the text of a
 * quote can imitate one anchor of Pagefind's, but the card that it is in keeps its own two.
 *
 * @param places where words were found, counted in words of the page, in ascending order
 */
export function cardsOf(fragment: Fragment, places: readonly number[]): IndexedCard[] {
  const unspaced = fragment.raw_content.includes("\u200B");
  const words = unspaced
    ? fragment.raw_content.split("\u200B").map(unescape)
    : fragment.content.split(SPACES);
  const joiner = unspaced ? "" : " ";
  const starts = new Map(
    fragment.anchors.flatMap(({ element, id, location }) =>
      element === "article" ? [[id, location]] : [],
    ),
  );
  const cards = fragment.anchors.flatMap((author) => {
    const id = /^b(\d+)$/.exec(author.id)?.[1] ?? "";
    const start = starts.get(`q${id}`);
    return start === undefined ? [] : [{ id: Number(id), start, author }];
  });
  return cards.map(({ id, start, author }, index) => {
    const end = cards[index + 1]?.start ?? words.length;
    const hits = places.filter((place) => place >= start && place < end);
    const rest = words.slice(author.location, end).join(joiner);
    return {
      id,
      path: `${fragment.raw_url}#q${id}`,
      words: words.slice(start, author.location),
      joiner,
      author: author.text,
      tags: rest.slice(author.text.length),
      found: hits.map((place) => place - start),
      foundWords: hits.map((place) => words[place] ?? ""),
    };
  });
}

function unescape(word: string): string {
  return word.replaceAll("&lt;", "<").replaceAll("&gt;", ">");
}
