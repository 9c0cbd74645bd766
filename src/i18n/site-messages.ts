/** Checks a file of `site/messages`: English has each of its keys, and each placeholder of its messages. */
import { ConfigurationError } from "../contract/errors.ts";
import { isLanguageCode } from "../contract/languages.ts";
import type { MessageTree } from "../settings/site-data.ts";
import { type SourceFile, lineOf, parseJsonFile, suggestion } from "../settings/site-config.ts";
import { en } from "./languages/en.ts";

const PLURALS = ["zero", "one", "two", "few", "many", "other"];

/**
 * @param code code of the language, from the name of the file; one in capitals is the code of no language
 * @throws {ConfigurationError} with the key, the file, the line, and the most similar valid key
 */
export function readMessages(code: string, source: SourceFile): MessageTree {
  if (!isLanguageCode(code) || code.toUpperCase() === code) {
    throw new ConfigurationError(`Cannot use ${source.name}: "${code}" is not a language code`);
  }
  const tree = parseJsonFile(source);
  check(tree, en, [], source);
  return tree as MessageTree;
}

function check(
  value: unknown,
  english: unknown,
  path: readonly string[],
  source: SourceFile,
): void {
  const refuse = (reason: string, at = path): never => {
    const field = at.length === 0 ? "the messages" : at.join(".");
    throw new ConfigurationError(
      `Cannot use ${field} of ${source.name}${lineOf(source.text, at)}: ${reason}`,
    );
  };
  if (typeof english === "string") {
    if (typeof value !== "string" || value.trim() === "") return refuse("expected a text");
    const known = placeholdersOf(english);
    const unknown = placeholdersOf(value).find((name) => !known.includes(name));
    if (unknown === undefined) return;
    const expected = known.length === 0 ? "no placeholder" : known.join(", ");
    return refuse(`expected ${expected}, got ${unknown}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse("expected an object");
  }
  const messages = english as Readonly<Record<string, unknown>>;
  const isPlural = Object.keys(messages).every((key) => PLURALS.includes(key));
  const keys = isPlural ? PLURALS : Object.keys(messages);
  for (const [key, inner] of Object.entries(value)) {
    const at = [...path, key];
    if (!keys.includes(key)) refuse(`there is no such key${suggestion(key, keys)}`, at);
    // Each plural form of a language has the placeholders of the English form `other`.
    check(inner, isPlural ? messages["other"] : messages[key], at, source);
  }
}

const placeholdersOf = (sentence: string): string[] => sentence.match(/\{\w+\}/g) ?? [];
