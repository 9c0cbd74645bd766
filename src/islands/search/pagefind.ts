/**
 * The part of Pagefind that the search uses, loaded at the first search in a language.
 *
 * Each language has a bundle of its own, `pagefind/<code>/`: a bundle runs the stemmer of one language only. It runs in
 * the page and not in its worker, since the worker is a second download of the same code.
 */

/** An element of a listing page that has an `id`, with its text and where in the page it begins, counted in words. */
export interface Anchor {
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
  /** Pages that hold all the words or words of the same stem, best first; every page, the last one first, for null. */
  search(words: string | null): Promise<{ readonly results: readonly PageHit[] }>;
}

interface PagefindModule {
  createInstance(options: { basePath: string; noWorker: boolean }): Engine;
}

const engines = new Map<string, Promise<Engine>>();

/** @param folder address of a language's bundle, with a slash at the end */
export function openEngine(folder: string): Promise<Engine> {
  let engine = engines.get(folder);
  if (engine === undefined) {
    engine = load(folder).catch((error: unknown) => {
      // The next search tries again.
      engines.delete(folder);
      throw error;
    });
    engines.set(folder, engine);
  }
  return engine;
}

async function load(folder: string): Promise<Engine> {
  const module = (await import(/* @vite-ignore */ `${folder}pagefind.js`)) as PagefindModule;
  return module.createInstance({ basePath: folder, noWorker: true });
}
