/**
 * Writes the quotes of each record, a file for each block, in place of Pagefind's own file of the record.
 *
 * Pagefind keeps a record's text there to show an excerpt of it. Ours is words in no order that anybody reads.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, parse } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { blockFile, type IndexedBlock } from "../contract/search-index.ts";
import type { SearchRecord } from "./documents.ts";

/** What Pagefind's files begin with, once unpacked. */
const SIGNATURE = "pagefind_dcd";

/** @param folder of the index as Pagefind wrote it */
export function keepQuotes(folder: string, records: readonly SearchRecord[]): void {
  const byKey = new Map(records.map((record) => [record.key, record]));
  const fragments = join(folder, "fragment");
  mkdirSync(dirname(join(folder, blockFile("", 0))));
  for (const file of readdirSync(fragments)) {
    const text = gunzipSync(readFileSync(join(fragments, file))).toString();
    const { url } = JSON.parse(text.slice(SIGNATURE.length)) as { readonly url: string };
    const record = byKey.get(url);
    if (record === undefined)
      throw new RangeError(`Cannot keep the quotes of ${url}: no such record`);
    for (const [block, { language, pages }] of record.blocks.entries()) {
      const kept: IndexedBlock = { language, pages };
      const path = join(folder, blockFile(parse(file).name, block));
      writeFileSync(path, gzipSync(JSON.stringify(kept), { level: 9 }));
    }
  }
  rmSync(fragments, { recursive: true });
}
