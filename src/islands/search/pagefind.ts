/**
 * Loads Pagefind at the first search in a language, and extracts the quotes of a listing page from its text in the index.
 *
 * Each language has its own bundle, `pagefind/<code>/`, since a bundle has the stemmer of one language only. Pagefind runs in
 * the page: its worker would be a second download of the same code.
 */

/** An element with an `id` in a listing page. */
interface Anchor {
  readonly element: string;
  readonly id: string;
  readonly text: string;
  /** Position of its first word in the page, counted in words. */
  readonly location: number;
}

/** A listing page in the index. */
export interface Fragment {
  /** Path below the base path: `/language/en/2/`. */
  readonly raw_url: string;
  /** All text of its cards, with single spaces. */
  readonly content: string;
  /** The same text with `<` and `>` escaped, and U+200B between words of a language without spaces. */
  readonly raw_content: string;
  readonly anchors: readonly Anchor[];
}

/** A listing page that matches a query. */
export interface PageHit {
  readonly id: string;
  /** Positions of the found words in the page, counted in words, ascending. */
  readonly words: readonly number[];
  data(): Promise<Fragment>;
}

export interface Engine {
  /**
   * Finds pages with all words, or words of the same stem, best first; every page for null.
   *
   * @param options `sort`: by the number in `data-pagefind-sort`
   */
  search(
    words: string | null,
    options?: { readonly sort: { readonly page: "asc" } },
  ): Promise<{ readonly results: readonly PageHit[] }>;
}

/** Requests that failed. Pagefind goes on without a part of the index, and finds fewer pages. */
let lost = 0;

const load = globalThis.fetch;
globalThis.fetch = async (...request) => {
  let isOk = false;
  try {
    const response = await load(...request);
    isOk = response.ok;
    return response;
  } finally {
    if (!isOk) lost++;
  }
};

const engines = new Map<string, Promise<Engine>>();

/** Part of the address: browsers retry a module that failed to load only at another address. */
let failures = 0;

/** @param folder address of a language's bundle, with a trailing slash */
export function openEngine(folder: string): Promise<Engine> {
  const engine = engines.get(folder) ?? loadEngine(folder);
  engines.set(folder, engine);
  return engine;
}

async function loadEngine(folder: string): Promise<Engine> {
  try {
    const address = `${folder}pagefind.js${failures === 0 ? "" : `?${failures}`}`;
    const { createInstance } = (await import(/* @vite-ignore */ address)) as {
      createInstance: (options: { basePath: string; noWorker: boolean }) => Engine & {
        filters(): Promise<unknown>;
      };
    };
    const engine = createInstance({ basePath: folder, noWorker: true });
    // This loads the rest now: an engine that fails to load it later never recovers.
    await engine.filters();
    return {
      async search(...query) {
        const before = lost;
        const found = await engine.search(...query);
        if (lost > before) throw new Error(`Cannot search ${folder}: a part of the index is lost`);
        return found;
      },
    };
  } catch (error) {
    failures++;
    engines.delete(folder);
    throw error;
  }
}

export interface IndexedCard {
  readonly id: number;
  /** Path of the quote below the base path: `/language/en/2/#q17`. */
  readonly path: string;
  /** Words of the quote, with punctuation. */
  readonly words: readonly string[];
  /** Text between two words; empty in languages without spaces. */
  readonly joiner: string;
  readonly author: string;
  /** Text of the tags. */
  readonly tags: string;
  /** Positions of the found words, counted from the first word of the quote; author and tags follow the quote. */
  readonly found: readonly number[];
  /** The found words of quote, author and tags. */
  readonly foundWords: readonly string[];
}

/** Pagefind splits its text into words at these. */
const SPACES = /[^\S\uFEFF]+/u;

/**
 * Extracts the cards of a page. A card begins at the anchor `q<pk>`, and its author at `b<pk>`. The text of a quote can imitate
 * one of them, so an anchor without its partner is ignored.
 *
 * @param places positions of the found words in the page, counted in words, ascending
 */
export function cardsOf(fragment: Fragment, places: readonly number[]): IndexedCard[] {
  const unspaced = fragment.raw_content.includes("\u200B");
  const words = unspaced
    ? fragment.raw_content.replaceAll("&lt;", "<").replaceAll("&gt;", ">").split("\u200B")
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
    const source = fragment.anchors.find((anchor) => anchor.id === `s${id}`)?.text ?? "";
    const rest = words.slice(author.location, end).join(joiner).slice(author.text.length);
    return {
      id,
      path: `${fragment.raw_url}#q${id}`,
      words: words.slice(start, author.location),
      joiner,
      author: author.text,
      tags: rest.slice(rest.indexOf(source) + source.length),
      found: hits.map((place) => place - start),
      foundWords: hits.map((place) => words[place] ?? ""),
    };
  });
}
