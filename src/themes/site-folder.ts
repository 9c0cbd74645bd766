/**
 * Reads the fork's own folder, `site/`. Every file of it is optional; a mistake in one is a `ConfigurationError` with the file and
 * the line.
 */
import { existsSync, globSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, extname } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { ConfigurationError, UsageError } from "../contract/errors.ts";
import { nameOf } from "../files/name-of.ts";
import { PACKAGE_ROOT, PROJECT_ROOT } from "../files/roots.ts";
import { readMessages } from "../i18n/site-messages.ts";
import { lineOf, type SiteConfig } from "../settings/site-config.ts";
import { NO_SITE, setSiteData, type SiteData, type SitePage } from "../settings/site-data.ts";
import type { Environment } from "../settings/sources.ts";
import { readAuthors } from "./authors.ts";
import { readCorrections } from "./corrections.ts";
import { refuseSecretsInEnvFiles } from "./env-files.ts";
import { loadConfig, sourceOf } from "./load-config.ts";
import type { ThemePlaces } from "./theme.ts";

/**
 * The folder that `SITE_DIR` names, or `site`, relative to the project's root, because a render changes the working directory.
 *
 * @returns null where there is no folder `site`
 * @throws {ConfigurationError} when `SITE_DIR` names no folder
 */
export function siteFolder(env: Environment = process.env): string | null {
  const { SITE_DIR = "" } = env;
  const folder = SITE_DIR === "" ? join(PROJECT_ROOT, "site") : resolve(PROJECT_ROOT, SITE_DIR);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  if (SITE_DIR === "") return null;
  throw new ConfigurationError(`Cannot use SITE_DIR: ${JSON.stringify(SITE_DIR)} is no folder`);
}

/**
 * Refuses a folder below that of a site, such as `site` itself: a command would make another site there.
 *
 * @throws {UsageError} with the folder to run the command in
 */
export function refuseFolderBelowSite(env: Environment, folder = PROJECT_ROOT): void {
  if (siteFolder(env) !== null || globSync(OWN_PROJECT, { cwd: folder }).length > 0) return;
  for (let below = folder; dirname(below) !== below; below = dirname(below)) {
    const above = dirname(below);
    const isProject = globSync(OWN_PROJECT, { cwd: above }).length > 0;
    if (globSync(isProject ? "site/" : "site/config.ts", { cwd: above }).length > 0) {
      throw new UsageError(`Cannot run in ${folder}: it has no site/; run the command in ${above}`);
    }
    if (isProject) return;
  }
}

/** Each of these begins a project, which needs no `site/`. */
const OWN_PROJECT = "{package.json,astro.config.{mjs,js,ts,mts}}";

/** Where themes of a site are looked up. @throws {ConfigurationError} as `siteFolder()` does */
export const themePlaces = (env?: Environment): ThemePlaces => ({
  packageRoot: PACKAGE_ROOT,
  projectRoot: PROJECT_ROOT,
  site: siteFolder(env),
});

/**
 * Reads the folder for this process and its threads.
 *
 * @param readConfig `loadConfigApart` in a process that knows the credential
 */
export async function loadSite(
  env: Environment,
  readConfig: (file: string) => Promise<SiteConfig> = loadConfig,
): Promise<SiteData> {
  refuseSecretsInEnvFiles(PROJECT_ROOT);
  const folder = siteFolder(env);
  if (folder === null) {
    setSiteData(NO_SITE);
    return NO_SITE;
  }
  const config = await readConfig(join(folder, "config.ts"));
  const { pages, unlisted } = readPages(join(folder, "pages"), PACKAGE_PAGES);
  const words = globSync("*.json", { cwd: join(folder, "messages") }).sort();
  const messages = words.map((name) => {
    const code = basename(name, ".json");
    return [code, readMessages(code, sourceOf(join(folder, "messages", name)))] as const;
  });
  const data = {
    config: { ...config, unlisted: [...config.unlisted, ...unlisted] },
    corrections: readCorrections(join(folder, "corrections.yaml")),
    authors: readAuthors(join(folder, "authors.yaml")),
    messages: Object.fromEntries(messages),
    pages,
  };
  setSiteData(data);
  return data;
}

/** The pages of Commonplace, which Astro finds by itself in a clone alone. */
export const PACKAGE_PAGES = join(PACKAGE_ROOT, "src/pages");

/** Folders whose files are copied into the site as they are. The first wins where several have one of the same name. */
export const publicFolders = (): string[] =>
  [siteFolder() ?? [], PROJECT_ROOT, PACKAGE_ROOT].flat().map((folder) => join(folder, "public"));

const PAGES = "astro,html,md,mdx";
/** Files of `site/pages` that become routes. Astro accepts HTML only in `src/pages`. */
const ROUTES = "astro,md,mdx,js,ts";

/** The routes of a folder as Astro names them, with their files. */
export const routeFiles = (folder: string) =>
  filesIn(folder, ROUTES).map((file) => ({
    file: join(folder, file),
    pattern: patternOf(file),
    shape: shapeOf(file),
  }));

export type Routes = ReturnType<typeof readRoutes>;

/** The routes of folders, read from the names of their files as Astro does. */
export function readRoutes(...folders: readonly string[]) {
  const routes = folders.flatMap((folder) => filesIn(folder, PAGES).map(patternOf));
  const unique = [...new Set(routes)].sort();
  return {
    /** Addresses of routes without parameters. */
    fixed: unique.filter((route) => !route.includes("[")).map(addressOf),
    /** Expressions for the addresses of each route with parameters. */
    patterns: unique.filter((route) => route.includes("[")).map(expressionOf),
  };
}

/** The keys of a frontmatter that Commonplace reads. */
const frontmatterSchema = z.looseObject({
  title: z.string("expected a title").min(1, "expected a title"),
  description: z.string().optional(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[a-z\d]+)*$/i, "expected a language code such as en")
    .optional(),
  /** True, or the name of its entry in the menu. */
  menu: z.union([z.boolean(), z.string().min(1)]).default(false),
  unlisted: z.boolean().default(false),
});

/**
 * Reads the pages of the fork. A page replaces the project's page with the same address.
 *
 * @param folder `site/pages`
 * @param project `src/pages`
 * @returns the pages, and the addresses of unlisted ones
 * @throws {ConfigurationError} for a wrong frontmatter, two files of one address, or HTML
 */
export function readPages(folder: string, project: string) {
  const projects = new Map(filesIn(project, ROUTES).map((file) => [shapeOf(file), file]));
  const unlisted: string[] = [];
  const [html] = filesIn(folder, "html,htm");
  if (html !== undefined) {
    throw new ConfigurationError(
      `Cannot use ${nameOf(join(folder, html))}: rename it to ${basename(html, extname(html))}.astro, where HTML is valid too`,
    );
  }
  const files = new Map<string, string>();
  const pages = filesIn(folder, ROUTES).map((file): SitePage => {
    const name = nameOf(join(folder, file));
    const pattern = patternOf(file);
    const isOne = !pattern.includes("[");
    // Files with parameters may share a pattern and make different addresses.
    const other = isOne ? files.get(pattern) : undefined;
    if (other !== undefined) {
      throw new ConfigurationError(
        `Cannot use ${name}: ${other} has the same address; rename or delete one of them`,
      );
    }
    files.set(pattern, name);
    const path = isOne && !/\.[jt]s$/.test(file) ? addressOf(pattern) : null;
    const replaces = projects.get(shapeOf(file)) ?? null;
    if (replaces !== null && patternOf(replaces) !== pattern) {
      throw new ConfigurationError(
        `Cannot use ${name}: it replaces src/pages/${replaces}, so its parameters need the same names`,
      );
    }
    const page = { file, pattern, path, replaces, menu: null };
    if (!/\.mdx?$/.test(file)) return page;
    const { title, menu, unlisted: isUnlisted } = readFrontmatter(join(folder, file));
    if (isUnlisted && path !== null) unlisted.push(path);
    if (menu === false) return page;
    return { ...page, menu: menu === true ? title : menu };
  });
  return { pages, unlisted };
}

/** Files that are routes, with slashes. A file or folder whose name begins with "_" is none. */
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

/** The pattern without names of parameters: files with one shape make the same addresses. */
function shapeOf(file: string): string {
  return patternOf(file).replace(/\[(\.\.\.)?\w+\]/g, "[$1]");
}

/** A rest parameter may be empty, together with the slash before it. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.split(/\/\[\.{3}\w+\]/).map((part) =>
    part
      .split(/\[\w+\]/)
      .map(RegExp.escape)
      .join("[^/]+"),
  );
  return new RegExp(`^${parts.join("(?:/.+)?")}/$`, "u");
}

function readFrontmatter(file: string): z.output<typeof frontmatterSchema> {
  const { name, text } = sourceOf(file);
  const [, yaml = ""] = /^---\r?\n([\s\S]*?)\r?\n?---\s*(?:\n|$)/.exec(text) ?? [];
  const lines = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    // The text of the frontmatter begins at line 2.
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
