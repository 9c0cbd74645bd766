/**
 * Reads the words of a language from its bundle, as Pagefind indexed them: of quotes, authors and tags.
 *
 * They are kept in the state, since few languages change in a night.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parseJson } from "../contract/decode.ts";
import { atomicWrite, makeFolder } from "../files/disk.ts";
import { filesBelow } from "../files/walk.ts";
import { indexedTokens } from "../util/fold.ts";

/** Raise it with every change of the tokens of the same text. */
const VERSION = 2;

/** Begins each decompressed file of Pagefind. */
const SIGNATURE = "pagefind_dcd";

/**
 * @param bundle folder of the language
 * @param kept file of the words of an earlier run
 * @param key names the content of the bundle
 * @returns each word once; null where there is no bundle
 */
export function readTokens(
  bundle: string,
  kept: string,
  key: string | undefined,
): readonly string[] | null {
  const folder = join(bundle, "fragment");
  if (!existsSync(folder) || key === undefined || key === "") {
    rmSync(kept, { force: true });
    return null;
  }
  const head = `${VERSION} ${key}`;
  const [first, ...known] = existsSync(kept) ? readFileSync(kept, "utf8").split("\n") : [];
  if (first === head) return known;
  const tokens = new Set<string>();
  for (const file of filesBelow(folder)) {
    const text = gunzipSync(readFileSync(join(folder, file))).toString();
    const { content } = parseJson(text.slice(SIGNATURE.length)) as { content: string };
    for (const token of indexedTokens(content)) tokens.add(token);
  }
  const found = [...tokens].sort();
  makeFolder(dirname(kept));
  atomicWrite(kept, [head, ...found].join("\n"));
  return found;
}
