/**
 * The part of Pagefind that we use, loaded when somebody first searches.
 *
 * It runs in the page and not in its worker: the worker is a second download of the same code.
 */

/** A record of the index: some blocks of quotes. */
export interface RecordHandle {
  readonly id: string;
  /** Where in the record the words stand. */
  readonly words: readonly number[];
}

interface Engine {
  search(words: string): Promise<{ readonly results: readonly RecordHandle[] }>;
}

interface PagefindModule {
  createInstance(options: { basePath: string; noWorker: boolean }): Engine;
}

let engine: Promise<Engine> | undefined;

/** @param folder address of the index, with a slash at the end */
export function openEngine(folder: string): Promise<Engine> {
  engine ??= load(folder).catch((error: unknown) => {
    // The next search tries again.
    engine = undefined;
    throw error;
  });
  return engine;
}

async function load(folder: string): Promise<Engine> {
  const module = (await import(/* @vite-ignore */ `${folder}pagefind.js`)) as PagefindModule;
  return module.createInstance({ basePath: folder, noWorker: true });
}

let common: Promise<ReadonlyMap<string, number>> | undefined;

/** The commonest words by how common they are, 0 for the most common; empty where the list could not be had. */
export function commonWords(folder: string): Promise<ReadonlyMap<string, number>> {
  common ??= fetch(`${folder}common.txt`).then(async (answer) => {
    const words = answer.ok ? (await answer.text()).split(" ") : [];
    return new Map(words.map((word, rank) => [word, rank]));
  });
  return common;
}
