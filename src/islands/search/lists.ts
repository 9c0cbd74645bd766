/** Loads the lists beside the index, each file once. */
import { LISTS_FOLDER, type ListIndex } from "../../contract/search-lists.ts";

const loaded = new Map<string, Promise<unknown>>();

/** @param folder address of the index, with a trailing slash */
export const listIndex = (folder: string): Promise<ListIndex> =>
  loadList(folder, "index.json", (json) => json as ListIndex);

/**
 * Reads a file at the first call. One that could not be loaded is asked for again by the next call.
 *
 * @throws {Error} when it cannot be loaded
 */
export function loadList<T>(folder: string, file: string, read: (json: unknown) => T): Promise<T> {
  const address = `${folder}${LISTS_FOLDER}/${file}`;
  const known = loaded.get(address) ?? load(address).then(read);
  loaded.set(address, known);
  known.catch(() => loaded.delete(address));
  return known as Promise<T>;
}

async function load(address: string): Promise<unknown> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`Cannot read ${address}: ${answer.status}`);
  return answer.json();
}
