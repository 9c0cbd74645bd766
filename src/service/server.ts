/**
 * The HTTP server: limits against slow, large and broken requests, and the contract's error body even for those that
 * never become a request.
 *
 * Node's defaults let two hundred dripping connections stay for ever.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { ERROR_MESSAGES, errorJson, type ErrorStatus } from "../contract/error-body.ts";
import { ConfigurationError } from "../contract/errors.ts";
import { networksOf } from "../contract/network.ts";
import { failure, headersFor } from "./answers.ts";

/** Times in milliseconds. */
export interface HttpLimits {
  /** Until the headers are complete. */
  readonly headersMs: number;
  /** Until the whole request is. */
  readonly requestMs: number;
  /** Between two bytes in either direction, and between two requests. */
  readonly idleMs: number;
  readonly keepAliveMs: number;
  /** How often the first two are looked at. */
  readonly checkMs: number;
  readonly connections: number;
  /** The same for an IPv4 address or an IPv6 /64, and for an IPv4 /24 or an IPv6 /48; more are hung up on. */
  readonly connectionsPerAddress: number;
  readonly connectionsPerNetwork: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headersMs: 5_000,
  requestMs: 10_000,
  idleMs: 30_000,
  keepAliveMs: 5_000,
  checkMs: 500,
  connections: 1_000,
  connectionsPerAddress: 1_000,
  connectionsPerNetwork: 1_000,
};

/** Far more than any address of the contract needs. */
const MAX_HEADER_BYTES = 16 * 1024;

export interface Listening {
  readonly port: number;
  /** Lets requests in; until then they wait. */
  serve(fetch: (request: Request, env: object) => Response | Promise<Response>): void;
  /** Ends when the answers under way are given, or after `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** @throws {ConfigurationError} when the port cannot be had */
export async function listen(host: string, port: number, limits: HttpLimits): Promise<Listening> {
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    // A request without Host is answered by us, in the contract's shape.
    requireHostHeader: false,
  });
  server.maxConnections = limits.connections;
  server.timeout = limits.idleMs;
  server.on("connection", capByNetwork(limits.connectionsPerAddress, limits.connectionsPerNetwork));
  server.on("clientError", (error, socket) => refuse(socket, statusOf(error)));
  server.on("connect", (_request, socket) => refuse(socket, 405));
  server.on("checkExpectation", (_request, response) => {
    const body = errorJson(417);
    response.writeHead(417, headersFor(body)).end(body);
  });
  await listening(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    serve(fetch) {
      const listener = getRequestListener(fetch, {
        hostname: host,
        // The process may be someone else's: a build, a test.
        overrideGlobalObjects: false,
        // Only an address or a Host that is none comes here; the app answers for itself.
        errorHandler: () => failure(400),
      });
      server.on("request", (incoming, outgoing) => void listener(incoming, outgoing));
    },
    close: (graceMs) => closed(server, graceMs),
  };
}

/** Listens for connections, and hangs up on those beyond the most of an address or of a network. */
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

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = LISTEN_REASONS[error.code ?? ""] ?? error.message;
      const message = `Cannot listen on port ${port} of ${host}: ${reason}`;
      reject(new ConfigurationError(message, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program has it",
  EACCES: "permission denied",
  EADDRNOTAVAIL: "not an address of this machine",
  ENOTFOUND: "no such host",
};

function statusOf(error: NodeJS.ErrnoException): ErrorStatus {
  if (error.code === "HPE_HEADER_OVERFLOW") return 431;
  return error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
}

/** Writes an answer by hand, since there is no request to answer, and hangs up. */
function refuse(socket: Duplex, status: ErrorStatus): void {
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

function closed(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => server.closeAllConnections(), graceMs);
    // A connection that goes idle only now would be kept for its next request.
    const tidying = setInterval(() => server.closeIdleConnections(), 20);
    server.close(() => {
      clearTimeout(impatience);
      clearInterval(tidying);
      resolve();
    });
  });
}
