/** A host of pictures on loopback that answers as a test asks, with a journal of its requests. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type FetchOptions, openFetcher } from "../../../src/images/fetch-picture.ts";

export interface Host {
  readonly origin: string;
  readonly port: number;
  /** Connections accepted, requested over or not. */
  readonly connections: number;
  /** `METHOD path` of each request. */
  readonly requests: readonly string[];
}

/**
 * Listens until the test ends.
 *
 * @param address where; the default is the loopback address every machine has
 */
export async function openHost(answer: RequestListener, address = "127.0.0.1"): Promise<Host> {
  const requests: string[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  server.on("connection", () => connections++);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, address, resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    get connections() {
      return connections;
    },
  };
}

/** Serves files by path, with an ETag by content, and answers 304 to who has it. */
export function serveFiles(files: ReadonlyMap<string, Uint8Array>): RequestListener {
  return (request, response) => {
    const bytes = files.get(decodeURIComponent(request.url ?? ""));
    if (bytes === undefined) send(response, 404, "nothing here");
    else sendTagged(request, response, bytes);
  };
}

function sendTagged(request: IncomingMessage, response: ServerResponse, bytes: Uint8Array): void {
  const etag = `"${Buffer.from(bytes).toString("base64").slice(-24)}-${bytes.length}"`;
  const unchanged = request.headers["if-none-match"] === etag;
  response.writeHead(unchanged ? 304 : 200, { etag, "content-type": "image/jpeg" });
  response.end(unchanged ? undefined : bytes);
}

export function send(response: ServerResponse, status: number, body: string | Uint8Array): void {
  response.writeHead(status).end(body);
}

/** `fetchPicture()` of connections that close when the test ends; each picture has a minute where a test says nothing else. */
export function fetchWith(more: Partial<FetchOptions> = {}) {
  const fetcher = openFetcher({ ownOrigin: null, deadlineMs: 60_000, ...more });
  onTestFinished(() => fetcher[Symbol.asyncDispose]());
  return fetcher.fetchPicture;
}
