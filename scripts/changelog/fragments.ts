/** The changelog from its fragments: one file for each change that is not released. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The headings of a version, in order. */
export const SECTIONS = [
  "Upgrade",
  "Harvest",
  "Commands and continuous integration",
  "Safety",
  "Pages",
  "Search",
  "Themes and forks",
  "Hosts",
  "Audit",
] as const;

/** A section of a file of `changelog/unreleased`. */
export interface Fragment {
  readonly section: string;
  readonly lines: string;
}

/**
 * @param name of the file, for the message
 * @throws {Error} when it does not begin with a heading, a heading is unknown, or has no list
 */
export function readFragments(name: string, text: string): Fragment[] {
  return text.split(/\n(?=#)/).map((part) => {
    const [, section = "", lines = ""] = /^### (.+)\n\n(- [^]+)$/.exec(part.trim()) ?? [];
    if (SECTIONS.some((known) => known === section)) return { section, lines };
    throw new Error(
      `Cannot read ${name}: expected "### ${SECTIONS.join('", "### ')}" and a list of lines that begin with "- "`,
    );
  });
}

/**
 * The changelog with the fragments in the section of its newest version, which `(unreleased)` marks, or in a new one.
 *
 * @param date of the release, `YYYY-MM-DD`
 */
export function withFragments(
  changelog: string,
  fragments: readonly Fragment[],
  { version, date }: { readonly version: string; readonly date: string },
): string {
  const heading = `## ${version} (${date})`;
  const at = changelog.search(/^## /m);
  const first = changelog.slice(at).split("\n", 1)[0] ?? "";
  const isOpen = first === `## ${version} (unreleased)`;
  const end = isOpen ? endOf(changelog, at + first.length, /^## /m) : at;
  const known = isOpen ? changelog.slice(at + first.length, end) : "";
  const body = SECTIONS.reduce((text, section) => {
    const lines = fragments.filter((one) => one.section === section).map((one) => one.lines);
    return lines.length === 0 ? text : withLines(text, section, lines.join("\n"));
  }, known);
  return `${changelog.slice(0, at)}${heading}\n\n${body.trim()}\n\n${changelog.slice(end)}`;
}

/** Adds lines to a section of a version, which may lack it. */
function withLines(text: string, section: string, lines: string): string {
  const heading = `### ${section}\n`;
  const at = text.indexOf(heading);
  if (at === -1) return `${text.trimEnd()}\n\n${heading}\n${lines}\n`;
  const end = endOf(text, at + heading.length, /^### /m);
  return `${text.slice(0, end).trimEnd()}\n${lines}\n\n${text.slice(end)}`;
}

/** Where the next heading begins; the end of the text where there is none. */
function endOf(text: string, from: number, next: RegExp): number {
  const found = text.slice(from).search(next);
  return found === -1 ? text.length : from + found;
}

/** The fragments of a checkout, by their paths. */
export function fragmentsOf(root: string): Map<string, readonly Fragment[]> {
  const names = globSync("changelog/unreleased/*.md", { cwd: root }).sort();
  return new Map(
    names
      .filter((name) => !name.endsWith("README.md"))
      .map((name) => [name, readFragments(name, readFileSync(join(root, name), "utf8"))]),
  );
}
