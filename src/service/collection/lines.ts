/**
 * Well-known lines and proverbs in their own languages, whose authors are long dead: no package of the registry has them.
 *
 * In `lines.txt` a heading names the language, and each line below it is an author, tags, and the words, with a slash where a
 * line of verse ends.
 */
import { readFileSync } from "node:fs";
import { isKnownLanguage, type KnownLanguage } from "../../contract/languages.ts";

export interface PublicLine {
  readonly language: KnownLanguage;
  readonly author: string;
  readonly tags: string[];
  readonly quote: string;
}

const FILE = new URL("./lines.txt", import.meta.url);

/** @throws when a line of the file is none of these */
export function publicLines(): PublicLine[] {
  const lines: PublicLine[] = [];
  let language = "";
  for (const line of readFileSync(FILE, "utf8").trimEnd().split("\n")) {
    const [author = "", tags = "", quote = ""] = line.split(" | ");
    if (line.startsWith("# ")) language = line.slice(2);
    else if (isKnownLanguage(language) && quote !== "") {
      lines.push({
        language,
        author,
        tags: tags.split(", "),
        quote: quote.replaceAll(" / ", "\n"),
      });
    } else throw new Error(`Cannot read lines.txt: ${line}`);
  }
  return lines;
}
