/**
 * A service that fails on demand, over real sockets. It keeps a journal of every request with the time it came, and
 * checks read that journal and not our own logs.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";

export interface Call {
  /** Counted from 0. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
}

export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

export type Handler = (call: Call) => Reply;

export interface FaultServer {
  readonly url: string;
  readonly port: number;
  readonly journal: Call[];
  /** Number of connections that were accepted, requested over or not. */
  connections(): number;
  close(): Promise<void>;
}

/** @param port 0 for a free one */
export async function startFaultServer(
  handler: Handler,
  port = 0,
  address = "127.0.0.1",
): Promise<FaultServer> {
  const journal: Call[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "localhost"}`);
    const call = { number: journal.length, at: Date.now(), url, headers: request.headers };
    journal.push(call);
    handler(call)(response, request);
  });
  // On a busy machine more than the default of 5 s may pass between two requests, and probes are sent only once.
  server.keepAliveTimeout = 0;
  server.on("connection", () => connections++);
  server.listen(port, address);
  await once(server, "listening");
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    journal,
    connections: () => connections,
    async close() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
