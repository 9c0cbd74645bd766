/**
 * The HTTP server: limits against slow, large and malformed requests, and the contract's error body even for bytes that are
 * not HTTP.
 *
 * With Node's defaults, 200 connections that send byte by byte stay open forever.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getSystemErrorMessage } from "node:util";
import { getRequestListener } from "@hono/node-server";
import { ERROR_MESSAGES, errorJson, type ErrorStatus } from "../contract/body.ts";
import { ConfigurationError } from "../contract/errors.ts";
import { networksOf } from "../util/network.ts";
import { failure, headersFor } from "./answers.ts";

/** Times in milliseconds. */
export const HTTP_LIMITS = {
  /** Until the headers are complete. */
  headersMs: 5_000,
  /** Until the whole request is complete. */
  requestMs: 10_000,
  /** Between two bytes in either direction, and between two requests. */
  idleMs: 30_000,
  keepAliveMs: 5_000,
  /** Interval at which `headersMs` and `requestMs` are checked. */
  checkMs: 500,
  connections: 1_000,
  /** Open connections of an IPv4 address or IPv6 /64; further ones are closed. */
  connectionsPerAddress: 1_000,
  /** Open connections of an IPv4 /24 or IPv6 /48. */
  connectionsPerNetwork: 1_000,
  /** Further ones, which a client may have pipelined, get 503; 0 for no limit. */
  requestsPerConnection: 0,
};

export type HttpLimits = Readonly<typeof HTTP_LIMITS>;

/** Far more than a request of the contract needs. */
const MAX_HEADER_BYTES = 16 * 1024;

/** @throws {ConfigurationError} when the port cannot be used */
export async function listen(host: string, port: number, limits: HttpLimits) {
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The app answers a request without `Host`; Node would answer without the contract's error body.
    requireHostHeader: false,
  });
  server.maxConnections = limits.connections;
  server.maxRequestsPerSocket = limits.requestsPerConnection;
  server.timeout = limits.idleMs;
  server.on("connection", capByNetwork(limits.connectionsPerAddress, limits.connectionsPerNetwork));
  server.on("clientError", (error, socket) => sendFailure(socket, toStatus(error)));
  server.on("connect", (_request, socket) => sendFailure(socket, 405));
  server.on("checkExpectation", (_request, response) => {
    const body = errorJson(417);
    response.writeHead(417, headersFor(body)).end(body);
  });
  server.listen(port, host);
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    const reason = error.errno ? getSystemErrorMessage(error.errno) : error.message;
    const message = `Cannot listen on port ${port} of ${host}: ${reason}`;
    throw new ConfigurationError(message, { cause: error });
  });
  return {
    port: (server.address() as AddressInfo).port,
    /** Answers requests from now on; earlier ones wait. */
    serve(fetch: (request: Request, env: object) => Response | Promise<Response>): void {
      const listener = getRequestListener(fetch, {
        hostname: host,
        // The process may also run a build or a test.
        overrideGlobalObjects: false,
        // Called only for an invalid address or `Host`; the app handles its own errors.
        errorHandler: () => failure(400),
      });
      server.on("request", (incoming, outgoing) => void listener(incoming, outgoing));
    },
    /** Answers the requests in flight for at most `graceMs`, then closes the server. */
    async close(graceMs: number): Promise<void> {
      const closed = once(server, "close");
      server.close();
      const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
      // `close()` leaves connections open that become idle later.
      const closing = setInterval(() => server.closeIdleConnections(), 20);
      await closed;
      clearTimeout(deadline);
      clearInterval(closing);
    },
  };
}

/** Returns a listener that closes connections beyond the limit of their address or network. */
function capByNetwork(perAddress: number, perNetwork: number): (socket: Socket) => void {
  const open = new Map<string, number>();
  const count = (key: string, step: 1 | -1): void => {
    const left = (open.get(key) ?? 0) + step;
    if (left === 0) open.delete(key);
    else open.set(key, left);
  };
  return (socket) => {
    const { subscriber, site } = networksOf(socket.remoteAddress ?? "");
    const keys = [`address ${subscriber}`, `network ${site}`] as const;
    if ((open.get(keys[0]) ?? 0) >= perAddress || (open.get(keys[1]) ?? 0) >= perNetwork) {
      socket.destroy();
      return;
    }
    for (const key of keys) count(key, 1);
    socket.once("close", () => {
      for (const key of keys) count(key, -1);
    });
  };
}

function toStatus(error: NodeJS.ErrnoException): ErrorStatus {
  if (error.code === "HPE_HEADER_OVERFLOW") return 431;
  return error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
}

/** Writes an error response to a socket that has no parsed request, and closes the socket. */
function sendFailure(socket: Duplex, status: ErrorStatus): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = errorJson(status);
  const headers = Object.entries({ ...headersFor(body), Connection: "close" });
  const head = [
    `HTTP/1.1 ${status} ${ERROR_MESSAGES[status]}`,
    ...headers.map((pair) => pair.join(": ")),
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}
