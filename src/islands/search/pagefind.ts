/**
 * The part of Pagefind that we use, loaded when somebody first searches.
 *
 * It runs in the page and not in its worker: the worker is a second download of the same code.
 */
import type { IndexedQuote } from "../../contract/search-words.ts";

/** A record of the index: some dozens of quotes. */
export interface RecordHandle {
  readonly id: string;
  data(): Promise<{ readonly anchors: readonly Anchor[] }>;
}

interface Anchor {
  /** Path of the listing page, and the place on it. */
  readonly id: string;
  /** An `IndexedQuote` as JSON. */
  readonly title: string;
}

interface Engine {
  search(words: string): Promise<{ readonly results: readonly RecordHandle[] }>;
}

interface PagefindModule {
  createInstance(options: { basePath: string; noWorker: boolean }): Engine;
}

/** A quote of the index, with the path it stands at. */
export interface FoundQuote {
  readonly path: string;
  readonly text: string;
  readonly author: string | null;
  readonly language: string;
  readonly tags: readonly string[];
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

export async function quotesOf(record: RecordHandle): Promise<FoundQuote[]> {
  const { anchors } = await record.data();
  return anchors.map(({ id, title }) => {
    const [text, author, language, tags] = JSON.parse(title) as IndexedQuote;
    return { path: id, text, author, language, tags };
  });
}
