/**
 * Serves a finished site over HTTP as a static host does: index files, the 404 page, headers and redirects; no listings.
 *
 * Preview, screenshots, browser audits and tests use it. By default it listens on the loopback only. It answers under names of
 * this machine and allowed names, and serves nothing from outside of the site's folder.
 */
import { readFileSync, realpathSync, statSync, type Stats } from "node:fs";
import { join, sep } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type Context } from "hono";
import { etag } from "hono/etag";
import { z } from "zod";
import { HOST_FILES } from "../hosts/presets.ts";
import { allowHosts } from "../service/access.ts";
import { HTTP_LIMITS, listen } from "../service/server.ts";

export interface ServeOptions {
  readonly outDir: string;
  /** The site's base path, with slashes at both ends; default `/`. */
  readonly base?: string;
  /** Address to listen on; default the loopback alone. */
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Default: those of a host that has no rules. */
  readonly answers?: HostAnswers;
  /** Host names besides this machine's own under which requests are answered. */
  readonly allowedHosts?: readonly string[];
}

export type ServedSite = Awaited<ReturnType<typeof serveSite>>;

/** @throws {ConfigurationError} when another program has the port */
export async function serveSite({
  outDir,
  base = "/",
  host = "127.0.0.1",
  port = 0,
  answers = PLAIN_ANSWERS,
  allowedHosts = [],
}: ServeOptions) {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(answers.headers(pathOf(c)))) c.header(name, value);
  });
  app.use(allowHosts(allowedHosts), etag());
  app.all("*", async (c, next) => {
    if (c.req.method !== "GET" && c.req.method !== "HEAD") {
      return c.body(null, 405, { Allow: "GET, HEAD" });
    }
    const path = pathOf(c);
    const name = fileName(path, base);
    const found = name === null ? null : fileAt(outDir, name);
    const isFolder = name !== null && fileAt(outDir, `${name}/index.html`) !== null;
    const to = answers.redirect(path) ?? (found === null && isFolder ? `${path}/` : null);
    if (to !== null) return c.redirect(to, 301);
    if (found !== null && name !== null) {
      c.header("ETag", `"${found.size}-${found.mtimeMs}"`);
      return serveStatic({ root: outDir, path: name })(c, next);
    }
    return c.html(read(outDir, "404.html") ?? "Not found\n", 404);
  });
  const listening = await listen(host, port, HTTP_LIMITS);
  listening.serve(app.fetch);
  const close = (): Promise<void> => listening.close(0);
  /** Origin and base path, with a slash at the end. */
  const url = `http://127.0.0.1:${listening.port}${base}`;
  return { url, close, [Symbol.asyncDispose]: close };
}

/** Still percent-encoded, as the rules of hosts are. */
function pathOf(c: Context): string {
  return new URL(c.req.url).pathname;
}

/** The file below the site's folder that a path asks for; null where there can be none. */
function fileName(path: string, base: string): string | null {
  if (!path.startsWith(base)) return null;
  let name;
  try {
    name = decodeURIComponent(path.slice(base.length));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return null;
  }
  // An encoded slash or dot would lead out of the folder, and a redirect to `//name/` to another host.
  if (/(?:^|\/)(?:\.\.?)?\/|(?:^|\/)\.\.?$|[\\\0]/.test(name) || HOST_FILES.has(name)) return null;
  return name === "" || name.endsWith("/") ? `${name}index.html` : name;
}

/** A file of the site; null where there is none, or a link leads out of the folder. */
function fileAt(outDir: string, name: string): Stats | null {
  try {
    const file = realpathSync(join(outDir, name));
    const stats = file.startsWith(realpathSync(outDir) + sep) ? statSync(file) : null;
    return stats?.isFile() === true ? stats : null;
  } catch (error) {
    // Nothing is there; or the name is longer than the disk allows, or goes through a file.
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/** What a host would answer besides the file. */
export interface HostAnswers {
  /** Headers of an answer, by name. */
  headers(path: string): Record<string, string>;
  /** Where a path is redirected to; null where it is not. */
  redirect(path: string): string | null;
}

/** No rules: files named by their content may be kept, all others are asked for again. */
const PLAIN_ANSWERS: HostAnswers = {
  headers: (path) => ({ "cache-control": path.includes("/_astro/") ? "max-age=3600" : "no-cache" }),
  redirect: () => null,
};

interface Rule {
  readonly source: RegExp;
  readonly headers: [name: string, value: string][];
}

/**
 * Reads the files that were written for the host, as the host reads them. Values that several rules give one header are
 * joined, as Cloudflare and Netlify do; Vercel takes the last.
 *
 * @param headersText rules in the form of `_headers`, for a host that has no file of its own in the site */
export function hostAnswers(outDir: string, headersText: string | null): HostAnswers {
  const vercel = read(outDir, "vercel.json");
  if (vercel !== null) return vercelAnswers(vercel);
  const rules = parseHeaders(read(outDir, "_headers") ?? headersText ?? "");
  const lines = read(outDir, "_redirects")?.split("\n") ?? [];
  const redirects = lines
    .filter((line) => !/^#|^$/.test(line))
    .map((line) => {
      const [from = "", to = ""] = line.trim().split(/\s+/);
      // GitLab has its letters as they are.
      return [new URL(from, "http://localhost").pathname, to] as const;
    });
  return {
    // The first rule for a path is the one that counts.
    redirect: (path) => redirects.find(([from]) => from === path)?.[1] ?? null,
    headers(path) {
      const all = Map.groupBy(headersFor(rules, path), ([name]) => name);
      return Object.fromEntries(
        all.entries().map(([name, values]) => [name, values.map(([, value]) => value).join(", ")]),
      );
    },
  };
}

const headersFor = (rules: readonly Rule[], path: string): Rule["headers"] =>
  rules.filter(({ source }) => source.test(path)).flatMap(({ headers }) => headers);

function parseHeaders(text: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [, name, value] = /^\s+([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) rules.at(-1)?.headers.push([name, value]);
    else rules.push({ source: expressionOf(line.trim()), headers: [] });
  }
  return rules;
}

/** A star matches all that follows it. */
function expressionOf(pattern: string): RegExp {
  return new RegExp(`^${pattern.split("*").map(RegExp.escape).join(".*")}$`);
}

const vercelSchema = z.object({
  headers: z.array(
    z.object({
      source: z.string(),
      headers: z.array(z.object({ key: z.string(), value: z.string() })),
    }),
  ),
  redirects: z.array(z.object({ source: z.string(), destination: z.string() })),
});

/** The patterns that we write for Vercel are expressions as they are. */
function vercelAnswers(text: string): HostAnswers {
  const { headers, redirects } = vercelSchema.parse(JSON.parse(text));
  const rules = headers.map((rule): Rule => ({
    source: new RegExp(`^${rule.source}$`),
    headers: rule.headers.map(({ key, value }) => [key, value]),
  }));
  return {
    redirect: (path) =>
      redirects.find(({ source }) => new RegExp(`^${source}$`).test(path))?.destination ?? null,
    headers: (path) => Object.fromEntries(headersFor(rules, path)),
  };
}

function read(outDir: string, name: string): string | null {
  return fileAt(outDir, name) === null ? null : readFileSync(join(outDir, name), "utf8");
}
