/**
 * Serves a finished site over HTTP as a static host does: index files, the 404 page, headers and redirects.
 *
 * Preview, screenshots, browser audits and tests use it. It answers only requests to names of this machine and allowed names, and
 * serves no file outside of the site's folder.
 */
import { readFileSync, realpathSync, statSync, type Stats } from "node:fs";
import { join, sep } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono, type Context } from "hono";
import { etag } from "hono/etag";
import { z } from "zod";
import { parseJson } from "../contract/decode.ts";
import { ConfigurationError } from "../contract/errors.ts";
import { HOST_FILES } from "./presets.ts";
import { allowHosts } from "../http/access.ts";
import { HTTP_LIMITS, listen } from "../http/server.ts";

export interface ServeOptions {
  readonly outDir: string;
  /** The site's base path, with slashes at both ends; default `/`. */
  readonly base?: string;
  /** Address to listen on; default the loopback address. */
  readonly host?: string;
  /** Default: a free port. */
  readonly port?: number;
  readonly answers?: HostAnswers;
  /** Accepted host names in addition to those of this machine. */
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
    const headers = answers.headers(pathOf(c));
    // As hosts do for which a site has no file of headers.
    if (!headers.has("Access-Control-Allow-Origin")) c.header("Access-Control-Allow-Origin", "*");
    for (const [name, value] of headers) c.header(name, value);
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
    const folder = found === null && isFolder ? `${path}/${new URL(c.req.url).search}` : null;
    const to = answers.redirect(path) ?? folder;
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

/** Percent-encoded, as in the rules of hosts. */
function pathOf(c: Context): string {
  return new URL(c.req.url).pathname;
}

/** The file of a path, relative to the site's folder; null for a path that leads out of it. */
function fileName(path: string, base: string): string | null {
  if (!path.startsWith(base)) return null;
  let name;
  try {
    name = decodeURIComponent(path.slice(base.length));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return null;
  }
  // An encoded slash or dot could lead out of the folder, and a redirect to `//name/` leads to another host.
  if (/(?:^|\/)(?:\.\.?)?\/|(?:^|\/)\.\.?$|[\\\0]/.test(name) || HOST_FILES.has(name)) return null;
  return name === "" || name.endsWith("/") ? `${name}index.html` : name;
}

/** A file of the site; null where it is missing, or a link leads out of the folder. */
function fileAt(outDir: string, name: string): Stats | null {
  try {
    const file = realpathSync(join(outDir, name));
    const stats = file.startsWith(realpathSync(outDir) + sep) ? statSync(file) : null;
    return stats?.isFile() === true ? stats : null;
  } catch (error) {
    // The file is missing, its name is too long, or a folder of its path is a file.
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}

/** Headers and redirects of a host. */
export type HostAnswers = ReturnType<typeof hostAnswers>;

/** Without rules: files with a hash in their name are cached, all others are revalidated. */
const PLAIN_ANSWERS: HostAnswers = {
  headers: (path) =>
    new Map([["cache-control", path.includes("/_astro/") ? "max-age=3600" : "no-cache"]]),
  redirect: () => null,
};

/** The rules of a host in order, one for each header and redirect. */
interface Rules {
  readonly headers: (readonly [source: RegExp, name: string, value: string])[];
  readonly redirects: (readonly [source: RegExp, to: string])[];
}

/**
 * Reads the files of the host as the host reads them. Cloudflare and Netlify join the values that several rules give to a header;
 * Vercel takes the last.
 *
 * @param headersText rules in the form of `_headers`, for a host without such a file in the site
 */
export function hostAnswers(outDir: string, headersText: string | null) {
  const vercel = read(outDir, "vercel.json");
  const { headers, redirects } =
    vercel !== null
      ? vercelRules(vercel)
      : textRules(read(outDir, "_headers") ?? headersText ?? "", read(outDir, "_redirects") ?? "");
  return {
    /** The target of the first rule that matches; null for a path without a redirect. */
    redirect: (path: string): string | null =>
      redirects.find(([source]) => source.test(path))?.[1] ?? null,
    headers(path: string): ReadonlyMap<string, string> {
      const found = new Map<string, string>();
      for (const [, name, value] of headers.filter(([source]) => source.test(path))) {
        const before = vercel === null ? found.get(name) : undefined;
        found.set(name, before === undefined ? value : `${before}, ${value}`);
      }
      return found;
    },
  };
}

/** Rules of `_headers` and `_redirects`. A star matches any text. */
function textRules(headersText: string, redirectsText: string): Rules {
  const headers: Rules["headers"] = [];
  let source = /(?!)/;
  for (const line of headersText.split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const [, name, value] = /^\s+([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) headers.push([source, name, value]);
    else source = exactly(line.trim().split("*").map(RegExp.escape).join(".*"));
  }
  const lines = redirectsText.split("\n").filter((line) => !/^#|^$/.test(line));
  const redirects = lines.map((line) => {
    const [from = "", to = ""] = line.trim().split(/\s+/);
    // The rules for GitLab are not percent-encoded.
    const path = URL.parse(from, "http://localhost")?.pathname ?? from;
    return [exactly(RegExp.escape(path)), to] as const;
  });
  return { headers, redirects };
}

const header = z.object({ key: z.string(), value: z.string() });
const pattern = z.string().transform((source, context) => {
  try {
    return exactly(source);
  } catch {
    context.addIssue("expected a regular expression");
    return z.NEVER;
  }
});
const vercelSchema = z.object({
  headers: z.array(z.object({ source: pattern, headers: z.array(header) })).default([]),
  redirects: z.array(z.object({ source: pattern, destination: z.string() })).default([]),
});

/**
 * Rules of `vercel.json`, whose patterns are regular expressions.
 *
 * @throws {ConfigurationError} for a file of the fork that Vercel would refuse
 */
function vercelRules(text: string): Rules {
  const read = vercelSchema.safeParse(parseJson(text));
  if (!read.success) {
    const [issue] = read.error.issues;
    const why = [...(issue?.path ?? []), issue?.message].join(": ");
    throw new ConfigurationError(`Cannot use vercel.json: ${why}`);
  }
  const { headers, redirects } = read.data;
  return {
    headers: headers.flatMap((rule) =>
      rule.headers.map(({ key, value }) => [rule.source, key, value] as const),
    ),
    redirects: redirects.map(({ source, destination }) => [source, destination]),
  };
}

const exactly = (pattern: string): RegExp => new RegExp(`^${pattern}$`);

function read(outDir: string, name: string): string | null {
  return fileAt(outDir, name) === null ? null : readFileSync(join(outDir, name), "utf8");
}
