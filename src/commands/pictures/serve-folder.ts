/** Serves a folder over HTTP on a free loopback port, as a static host does: index files, a 404 page, no listing. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".xml": "application/xml",
  ".txt": "text/plain; charset=utf-8",
  ".json": "application/json",
  ".woff2": "font/woff2",
};

export interface Served {
  /** Origin and base path, with a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
}

/** @param base the site's base path, such as `/sub/` */
export async function serveFolder(folder: string, base = "/"): Promise<Served> {
  const server = createServer((request, response) => {
    const path = pathOf(request.url ?? "/");
    const found = path?.startsWith(base) === true ? fileOf(folder, path.slice(base.length)) : null;
    const file = found ?? join(folder, "404.html");
    response.writeHead(found === null ? 404 : 200, {
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "cache-control": file.includes("_astro") ? "max-age=3600" : "no-cache",
    });
    response.end(readFileSync(file));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${base}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Null for an address that cannot be read. */
function pathOf(address: string): string | null {
  try {
    return decodeURIComponent(new URL(`http://x${address}`).pathname);
  } catch (error) {
    if (error instanceof URIError || error instanceof TypeError) return null;
    throw error;
  }
}

/** Never outside of the folder: an escaped slash may hide two dots from `URL`. */
function fileOf(folder: string, path: string): string | null {
  const index = path === "" || path.endsWith("/") ? "index.html" : "";
  const file = join(folder, normalize(`/${path}`), index);
  return existsSync(file) && statSync(file).isFile() ? file : null;
}
