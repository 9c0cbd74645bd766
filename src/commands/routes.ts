/**
 * The pages that `src/pages` and `site/pages` make, read from the names of their files as Astro reads them, and what the
 * frontmatter of Markdown files says.
 *
 * A fork adds and removes pages there; what is expected of a finished site follows.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { ConfigurationError } from "../contract/errors.ts";
import { nameOf } from "../files/name-of.ts";
import { lineOf } from "../settings/source-text.ts";
import type { SitePage } from "../settings/site-data.ts";

const PAGES = "astro,html,md,mdx";
/** Files of `site/pages` that are made routes, endpoints too; Astro takes HTML from `src/pages` alone. */
const ROUTES = "astro,md,mdx,js,ts";

export interface Routes {
  /** Addresses of the pages that are one file each. */
  readonly fixed: readonly string[];
  /** Whole addresses, one expression for each file with a parameter in its name. */
  readonly patterns: readonly RegExp[];
}

/** @param folders where the routes are; a file of a later one may replace one of an earlier */
export function readRoutes(...folders: readonly string[]): Routes {
  const routes = folders.flatMap((folder) => filesIn(folder, PAGES).map(patternOf));
  const unique = [...new Set(routes)].sort();
  return {
    fixed: unique.filter((route) => !route.includes("[")).map(addressOf),
    patterns: unique.filter((route) => route.includes("[")).map(expressionOf),
  };
}

/** What Commonplace reads of a frontmatter; a page may have more for itself. */
const frontmatterSchema = z.looseObject({
  title: z.string("expected a title").min(1, "expected a title"),
  description: z.string().optional(),
  /** Code of the page's language. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[a-z\d]+)*$/i, "expected a language code such as en")
    .optional(),
  /** True, or the name of its entry in the menu. */
  menu: z.union([z.boolean(), z.string().min(1)]).default(false),
  unlisted: z.boolean().default(false),
});

export interface SitePages {
  readonly pages: SitePage[];
  /** Addresses of those that are not to be found. */
  readonly unlisted: string[];
}

/**
 * @param folder `site/pages`
 * @param project `src/pages`: a file for an address of the project replaces the project's
 * @throws {ConfigurationError} with file and line, when a frontmatter is wrong; for HTML, which Astro takes from `src/pages` alone
 */
export function readPages(folder: string, project: string): SitePages {
  const projects = new Map(filesIn(project, ROUTES).map((file) => [shapeOf(file), file]));
  const unlisted: string[] = [];
  const [html] = filesIn(folder, "html,htm");
  if (html !== undefined) {
    const name = nameOf(join(folder, html));
    throw new ConfigurationError(
      `Cannot use ${name}: rename it to ${basename(html, extname(html))}.astro, where HTML is valid too`,
    );
  }
  const pages = filesIn(folder, ROUTES).map((file): SitePage => {
    const pattern = patternOf(file);
    const path = !/\.[jt]s$/.test(file) && !pattern.includes("[") ? addressOf(pattern) : null;
    const page = { file, pattern, path, replaces: projects.get(shapeOf(file)) ?? null, menu: null };
    if (!/\.mdx?$/.test(file)) return page;
    const { title, menu, unlisted: isUnlisted } = readFrontmatter(join(folder, file));
    if (isUnlisted && path !== null) unlisted.push(path);
    if (menu === false) return page;
    return { ...page, menu: menu === true ? title : menu };
  });
  return { pages, unlisted };
}

/** Files that are routes, with slashes; Astro takes none for a route whose name, or folder, begins with a line. */
function filesIn(folder: string, endings: string): string[] {
  if (!existsSync(folder)) return [];
  return globSync(`**/*.{${endings}}`, { cwd: folder })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !/(?:^|\/)_/.test(file) && !file.endsWith(".d.ts"))
    .sort();
}

/** `shop/index.astro` is `/shop`; `data.json.ts` is `/data.json`. */
function patternOf(file: string): string {
  return `/${file.replace(/\.\w+$/, "").replace(/(?:^|\/)index$/, "")}`;
}

function addressOf(pattern: string): string {
  if (pattern === "/404" || pattern === "/500") return `${pattern}.html`;
  return pattern === "/" ? "/" : `${pattern}/`;
}

/** Two files with one shape are one route: the names of parameters make no difference. */
function shapeOf(file: string): string {
  return patternOf(file).replace(/\[(\.\.\.)?\w+\]/g, "[$1]");
}

/** A rest parameter may be empty, and then its folder is not there either. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.slice(1).split("/");
  const expressions = parts.map((part) => {
    if (part.startsWith("[...")) return "(?:/.+)?";
    return `/${part
      .split(/\[\w+\]/)
      .map(RegExp.escape)
      .join("[^/]+")}`;
  });
  return new RegExp(`^${expressions.join("")}/$`, "u");
}

function readFrontmatter(file: string): z.output<typeof frontmatterSchema> {
  const name = nameOf(file);
  const text = readFileSync(file, "utf8");
  const [, yaml = ""] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n?---\s*(?:\n|$)/.exec(text) ?? [];
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    // The first line of the file is the one before the text of the frontmatter.
    const line = lines.linePos(error.pos[0]).line + 1;
    throw new ConfigurationError(`Cannot read ${name}:${line}: ${error.message}`, { cause: error });
  }
  const read = frontmatterSchema.safeParse(document.toJS() ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = (issue?.path ?? []).map(String);
  const at = lineOf(text, path) || ":1";
  throw new ConfigurationError(
    `Cannot use ${path.join(".")} of ${name}${at}: ${issue?.message ?? "not understood"}`,
  );
}
