/**
 * Loads Pagefind at the first search in a language, and extracts the quotes of a document from its text in the index.
 *
 * Each language has its own bundle, `pagefind/<code>/`, since a bundle has the stemmer of one language only. Pagefind runs in
 * the page: its worker would be a second download of the same code.
 */
import { rankFileOf, RANKS_FOLDER, type RankFile } from "../../contract/search-lists.ts";
import { listIndex } from "./lists.ts";

/** An element with an `id` in a document. */
interface Anchor {
  readonly element: string;
  readonly id: string;
  readonly text: string;
  /** Position of its first word in the document, counted in words. */
  readonly location: number;
}

/** A document of the index: quotes of a language, in the order of their ids. */
export interface Fragment {
  /** Path of the language's listing below the base path: `/language/en/`. */
  readonly raw_url: string;
  /** All text of its cards, with single spaces. */
  readonly content: string;
  /** The same text with `<` and `>` escaped, and U+200B between words of a language without spaces. */
  readonly raw_content: string;
  readonly anchors: readonly Anchor[];
  /** Of each quote in the listing. Without them the script of its first page leads on to the page of the quote. */
  readonly ranks?: readonly number[] | undefined;
  readonly perPage?: number;
}

/** A document that matches a query. */
export interface PageHit {
  readonly id: string;
  /** Positions of the found words in the document, counted in words, ascending. */
  readonly words: readonly number[];
  data(): Promise<Fragment>;
}

export interface Engine {
  /** Finds documents with all words, or words of the same stem, best first. */
  search(words: string): Promise<{ readonly results: readonly PageHit[] }>;
}

/** Requests that are under way before Pagefind makes them, by address without a query. */
const early = new Map<string, Promise<Response>>();

const plainAddress = (address: string): string => address.split("?", 1)[0] ?? "";

function loadEarly(address: string): Promise<Response> {
  const response = load(address);
  early.set(plainAddress(address), response);
  // Pagefind gets the error.
  response.catch(() => undefined);
  return response;
}

/** Gives Pagefind the answer of an early request, once. */
function takeEarly(request: RequestInfo | URL): Promise<Response> | undefined {
  const address = typeof request === "string" ? plainAddress(request) : "";
  const response = early.get(address);
  early.delete(address);
  return response;
}

/** Requests that failed. Pagefind goes on without a part of the index, and finds fewer pages. */
let lost = 0;

const load = globalThis.fetch;
globalThis.fetch = async (...request) => {
  let isOk = false;
  try {
    const response = await (takeEarly(request[0]) ?? load(...request));
    isOk = response.ok;
    return response;
  } finally {
    if (!isOk) lost++;
  }
};

const engines = new Map<string, Promise<Engine>>();

/** Part of the address: browsers retry a module that failed to load only at another address. */
let failures = 0;

/** @param folder address of the folder with the bundle of each language */
export function openEngine(folder: string, { slug }: { readonly slug: string }): Promise<Engine> {
  const engine = engines.get(slug) ?? loadEngine(folder, slug);
  engines.set(slug, engine);
  return engine;
}

/**
 * Loads what every search in a language needs. Pagefind asks for these files one after the other, each once the one before is
 * there: 800 ms of waiting on a weak line.
 */
async function loadParts(folder: string, slug: string): Promise<void> {
  const { parts } = await listIndex(folder);
  const files = [`pagefind-entry.json?ts=${Date.now()}`, ...(parts[slug] ?? [])];
  for (const file of files) void loadEarly(`${folder}${slug}/${file}`);
}

/** Likes change the ranks every day, and the index seldom. */
async function readRanks(bundle: string, id: string): Promise<Pick<Fragment, "ranks" | "perPage">> {
  try {
    const answer = await fetch(`${bundle}${RANKS_FOLDER}/${rankFileOf(id)}`);
    const { perPage, ranks } = (await answer.json()) as RankFile;
    return { perPage, ranks: ranks[id] };
  } catch {
    return {};
  }
}

async function loadEngine(folder: string, slug: string): Promise<Engine> {
  // Where it fails, Pagefind asks itself.
  await loadParts(folder, slug).catch(() => undefined);
  const bundle = `${folder}${slug}/`;
  try {
    const address = `${bundle}pagefind.js${failures === 0 ? "" : `?${failures}`}`;
    const { createInstance } = (await import(/* @vite-ignore */ address)) as {
      createInstance: (options: { basePath: string; noWorker: boolean }) => Engine & {
        filters(): Promise<unknown>;
      };
    };
    const engine = createInstance({ basePath: bundle, noWorker: true });
    // This loads the rest now: an engine that fails to load it later never recovers.
    await engine.filters();
    return {
      async search(words) {
        const before = lost;
        const { results } = await engine.search(words);
        if (lost > before) throw new Error(`Cannot search ${bundle}: a part of the index is lost`);
        const placed = results.map((page) => ({
          ...page,
          async data() {
            const [fragment, ranks] = await Promise.all([page.data(), readRanks(bundle, page.id)]);
            return { ...fragment, raw_url: `/language/${slug}/`, ...ranks };
          },
        }));
        return { results: placed };
      },
    };
  } catch (error) {
    failures++;
    engines.delete(slug);
    early.clear();
    throw error;
  }
}

export interface IndexedCard {
  readonly id: number;
  /** Path of the quote below the base path: `/language/en/2/#q17`. */
  readonly path: string;
  /** In the listing of its language, most liked first, from 0. */
  readonly rank: number;
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
 * Extracts the cards of a document. A card begins at the anchor `q<pk>`, and its author at `b<pk>`. The text of a quote can imitate
 * one of them, so an anchor without its partner is ignored.
 *
 * @param places positions of the found words in the document, counted in words, ascending
 */
export function cardsOf(fragment: Fragment, places: readonly number[]): IndexedCard[] {
  const unspaced = fragment.raw_content.includes("\u200B");
  const words = unspaced
    ? fragment.raw_content.replaceAll("&lt;", "<").replaceAll("&gt;", ">").split("\u200B")
    : fragment.content.split(SPACES);
  const joiner = unspaced ? "" : " ";
  const starts = fragment.anchors.filter(({ element }) => element === "article");
  const cards = fragment.anchors.flatMap((author) => {
    const id = /^b(\d+)$/.exec(author.id)?.[1] ?? "";
    const start = starts.findLast(
      (anchor) => anchor.id === `q${id}` && anchor.location <= author.location,
    )?.location;
    return start === undefined ? [] : [{ id: Number(id), start, author }];
  });
  return cards.map(({ id, start, author }, index) => {
    const end = cards[index + 1]?.start ?? words.length;
    const hits = places.filter((place) => place >= start && place < end);
    const source = fragment.anchors.find((anchor) => anchor.id === `s${id}`)?.text ?? "";
    const rank = fragment.ranks?.[index] ?? 0;
    const page = Math.floor(rank / (fragment.perPage ?? 1)) + 1;
    const rest = words.slice(author.location, end).join(joiner).slice(author.text.length);
    return {
      id,
      path: `${fragment.raw_url}${page === 1 ? "" : `${page}/`}#q${id}`,
      rank,
      words: words.slice(start, author.location),
      joiner,
      author: author.text,
      tags: rest.slice(rest.indexOf(source) + source.length),
      found: hits.map((place) => place - start),
      foundWords: hits.map((place) => words[place] ?? ""),
    };
  });
}
