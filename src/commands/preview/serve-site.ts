/**
 * Serves a finished site over HTTP as a static host does: index files, the 404 page, headers and redirects; no listings.
 *
 * Readers, pictures and tests see a site through it. It listens on the loopback alone, and nothing from outside of the
 * site's folder can be had, by no address and by no link.
 */
import { createReadStream, realpathSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { ConfigurationError } from "../../contract/errors.ts";
import { PLAIN_ANSWERS, type HostAnswers } from "./host-answers.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".xml": "application/xml",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".avif": "image/avif",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/** What only the host reads. */
const NOT_SERVED = new Set(["_headers", "_redirects", "vercel.json"]);

export interface ServedSite {
  /** Origin and base path, with a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly outDir: string;
  /** The site's base path, with slashes at both ends; default `/`. */
  readonly base?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Default: those of a host that has no rules. */
  readonly answers?: HostAnswers;
}

/** @throws {ConfigurationError} when another program has the port */
export async function serveSite({
  outDir,
  base = "/",
  port = 0,
  answers = PLAIN_ANSWERS,
}: ServeOptions): Promise<ServedSite> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request.url ?? "/");
    const headers = answers.headers(path);
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { ...headers, allow: "GET, HEAD" }).end();
      return;
    }
    const moved = answers.redirect(path);
    const wanted = filePath(path, base);
    const found = wanted === null ? null : fileAt(outDir, wanted);
    const isFolder = found === null && wanted !== null && fileAt(outDir, `${wanted}/index.html`);
    const to = moved ?? (isFolder ? `${path}/` : null);
    if (to !== null) {
      response.writeHead(301, { ...headers, location: to }).end();
      return;
    }
    const file = found ?? fileAt(outDir, "404.html");
    const name = found === null ? "404.html" : (wanted ?? "");
    const type = TYPES[extname(name)] ?? "application/octet-stream";
    response.writeHead(found === null ? 404 : 200, { ...headers, "Content-Type": type });
    if (request.method === "HEAD") response.end();
    else if (file === null) response.end("Not found\n");
    else await pipeline(createReadStream(file), response);
  }

  await new Promise<void>((done, fail) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      fail(new ConfigurationError(`Cannot listen on port ${port}: ${error.code ?? error.message}`));
    });
    server.listen(port, "127.0.0.1", done);
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}${base}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Still percent-encoded, as the rules of hosts are. */
function pathOf(url: string): string {
  return URL.canParse(url, "http://x") ? new URL(url, "http://x").pathname : "/";
}

/** The file below the site's folder that a path asks for; null where there can be none. */
function filePath(path: string, base: string): string | null {
  if (!path.startsWith(base)) return null;
  let name;
  try {
    name = decodeURIComponent(path.slice(base.length));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return null;
  }
  // A slash or two dots that were encoded would lead out of the folder.
  if (name.split("/").includes("..") || /[\\\0]/.test(name) || NOT_SERVED.has(name)) return null;
  return name === "" || name.endsWith("/") ? `${name}index.html` : name;
}

/** Where a file of the site lies; null where there is none, or a link leads out of the folder. */
function fileAt(outDir: string, name: string): string | null {
  try {
    const file = realpathSync(join(outDir, name));
    return file.startsWith(realpathSync(outDir) + sep) && statSync(file).isFile() ? file : null;
  } catch (error) {
    // Nothing is there; or the name is longer than the disk allows, or goes through a file.
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}
