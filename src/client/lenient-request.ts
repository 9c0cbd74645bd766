/**
 * Sends a request with Node's own client, whose parser takes answers that break the rules of HTTP and leave no doubt: bare line
 * feeds, a length beside chunks, folded headers. Only for a service whose answers undici refuses, and never through a proxy.
 */
import http, { type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https from "node:https";
import type { Limits } from "./connection.ts";

export interface Response {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: AsyncIterable<unknown>;
  /** Reads the rest of a body that is not wanted. */
  readonly drop: () => Promise<unknown>;
}

export interface LenientOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

/** @throws {Error} with a code of undici for a time that is over, or a body that is too large */
export function requestLeniently(url: URL, options: LenientOptions): Promise<Response> {
  const { headers, limits, signal } = options;
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === "https:" ? https : http;
    const sent = request(url, {
      ...{ headers, signal, agent: false, insecureHTTPParser: true },
      ...{ maxHeaderSize: limits.headerBytes, timeout: limits.headersMs },
    });
    sent.once("timeout", () => sent.destroy(failure("UND_ERR_HEADERS_TIMEOUT")));
    sent.once("error", reject);
    sent.once("response", (message) =>
      resolve({
        statusCode: message.statusCode ?? 0,
        headers: message.headers,
        body: upTo(limits.maxBytes, message),
        drop: () => Promise.resolve(message.destroy()),
      }),
    );
    sent.end();
  });
}

async function* upTo(maxBytes: number, message: IncomingMessage): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of message as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw failure("UND_ERR_RES_EXCEEDED_MAX_SIZE");
    yield chunk;
  }
}

const failure = (code: string): Error => Object.assign(new Error(code), { code });
