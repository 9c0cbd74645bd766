/** A host of pictures on loopback that ends with its test, and the client that fetches from it. */
import type { ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { type FetchOptions, openFetcher } from "../../../src/images/fetch-picture.ts";
import { type FaultServer, type Reply, startFaultServer } from "../../support/http/index.ts";

/** @param address where it listens */
export async function openHost(reply: Reply, address?: string): Promise<FaultServer> {
  const host = await startFaultServer(() => reply, 0, address);
  onTestFinished(() => host.close());
  return host;
}

/** Serves files by path, with an ETag by content, and answers 304 to a client that has it. */
export function serveFiles(files: ReadonlyMap<string, Uint8Array>): Reply {
  return (response, request) => {
    const bytes = files.get(decodeURIComponent(request.url ?? ""));
    if (bytes === undefined) return send(response, 404, "nothing here");
    const etag = `"${Buffer.from(bytes).toString("base64").slice(-24)}-${bytes.length}"`;
    const unchanged = request.headers["if-none-match"] === etag;
    response.writeHead(unchanged ? 304 : 200, { etag, "content-type": "image/jpeg" });
    response.end(unchanged ? undefined : bytes);
  };
}

export function send(response: ServerResponse, status: number, body: string | Uint8Array): void {
  response.writeHead(status).end(body);
}

/** `fetchPicture()` with connections that close when the test ends; a picture may take a minute by default. */
export function fetchWith(more: Partial<FetchOptions> = {}) {
  const fetcher = openFetcher({ ownOrigin: null, deadlineMs: 60_000, ...more });
  onTestFinished(() => fetcher[Symbol.asyncDispose]());
  return fetcher.fetchPicture;
}
