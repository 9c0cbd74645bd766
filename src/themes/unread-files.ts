/** What is not read of a site because its name has an error: another ending, a letter, a missing plural. */
import { globSync } from "node:fs";
import { join, parse } from "node:path";
import { distance } from "fastest-levenshtein";
import { nameOf } from "../files/name-of.ts";

/** What is read of `site/` by its name. */
const FILES = ["config.ts", "styles.css", "corrections.yaml", "authors.yaml"];
const FOLDERS = ["components", "layouts", "pages", "themes", "messages", "public"];

/** Letters that may be wrong: `images` is no `pages`. */
const FILE_ERRORS = 2;
const FOLDER_ERRORS = 1;

/**
 * @param site the folder of a site
 * @returns a line for each name that is nearly one of those that are read and missing, and for each file of messages that is no JSON
 */
export function unreadFiles(site: string): string[] {
  const entries = globSync("[!._]*", { cwd: site, withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  const near = entries.flatMap((entry) => {
    const { name } = entry;
    if (FILES.includes(name) || FOLDERS.includes(name)) return [];
    const meant = entry.isDirectory()
      ? FOLDERS.find((other) => distance(name, other) <= FOLDER_ERRORS)
      : FILES.find((other) => isLike(name, other));
    const isMeant = meant !== undefined && !names.has(meant);
    return isMeant ? [`${nameOf(join(site, name))} is not read; rename it to ${meant}`] : [];
  });
  const others = globSync("[!._]*", { cwd: join(site, "messages") })
    .filter((name) => !name.endsWith(".json"))
    .map((name) => `${nameOf(join(site, "messages", name))} is not read; rename it to <code>.json`);
  return [...near, ...others];
}

const isLike = (name: string, other: string): boolean =>
  parse(name).name === parse(other).name || distance(name.toLowerCase(), other) <= FILE_ERRORS;
