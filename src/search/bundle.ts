/**
 * Reads the documents of a language from its bundle, as Pagefind indexed them: their words, which are of quotes, authors and tags,
 * and their addresses.
 *
 * Both are kept in the state, since few languages change in a night.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parseJson } from "../contract/decode.ts";
import { atomicWrite, makeFolder } from "../files/disk.ts";
import { filesBelow } from "../files/walk.ts";
import { WordSet } from "./word-set.ts";

/** Raise it with every change of what is read of the same text. */
const VERSION = 3;

/** Begins each decompressed file of Pagefind. */
const SIGNATURE = "pagefind_dcd";

interface Bundle {
  /** Each word once. */
  readonly tokens: readonly string[];
  /** Addresses of the documents by their ids, sorted. */
  readonly urls: ReadonlyMap<string, string>;
}

/**
 * @param bundle folder of the language
 * @param kept file of what an earlier run read
 * @param key names the content of the bundle
 * @returns null where there is no bundle
 */
export function readBundle(bundle: string, kept: string, key: string | undefined): Bundle | null {
  const folder = join(bundle, "fragment");
  if (!existsSync(folder) || key === undefined || key === "") {
    rmSync(kept, { force: true });
    return null;
  }
  const head = `${VERSION} ${key}`;
  const [first, urls = "", ...known] = existsSync(kept)
    ? readFileSync(kept, "utf8").split("\n")
    : [];
  if (first === head) return { tokens: known, urls: new Map(parseJson(urls) as Pairs) };
  const read = readFragments(folder);
  makeFolder(dirname(kept));
  atomicWrite(kept, [head, JSON.stringify([...read.urls]), ...read.tokens].join("\n"));
  return read;
}

type Pairs = readonly (readonly [string, string])[];

function readFragments(folder: string): Bundle {
  const words = new WordSet();
  const urls = [...filesBelow(folder)].sort().map((file) => {
    const text = gunzipSync(readFileSync(join(folder, file))).toString();
    const fragment = parseJson(text.slice(SIGNATURE.length)) as { content: string; url: string };
    words.add(fragment.content);
    return [basename(file, ".pf_fragment"), fragment.url] as const;
  });
  return { tokens: words.sorted(), urls: new Map(urls) };
}
