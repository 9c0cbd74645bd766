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
import { HOST_FILES } from "../../hosts/presets.ts";
import { allowHosts } from "../../service/access.ts";
import { HTTP_LIMITS, listen } from "../../service/server.ts";
import { PLAIN_ANSWERS, type HostAnswers } from "./host-answers.ts";

export interface ServedSite extends AsyncDisposable {
  /** Origin and base path, with a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

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

/** @throws {ConfigurationError} when another program has the port */
export async function serveSite({
  outDir,
  base = "/",
  host = "127.0.0.1",
  port = 0,
  answers = PLAIN_ANSWERS,
  allowedHosts = [],
}: ServeOptions): Promise<ServedSite> {
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
    const page =
      fileAt(outDir, "404.html") === null
        ? "Not found\n"
        : readFileSync(join(outDir, "404.html"), "utf8");
    return c.html(page, 404);
  });
  const listening = await listen(host, port, HTTP_LIMITS);
  listening.serve(app.fetch);
  const close = (): Promise<void> => listening.close(0);
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
