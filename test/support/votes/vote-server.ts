/**
 * A service to vote on that fails on demand, over real sockets. Its journal of whole requests received is the oracle: a
 * request in it was executed, also where the browser got another answer.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

interface Received {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingMessage["headers"];
}

type Reply = (response: ServerResponse) => void;

/** Closed after each answer, as ours are: Chromium sends a POST again when a connection it reuses dies. */
const CORS = { "access-control-allow-origin": "*", connection: "close" };
const JSON_TYPE = { "content-type": "application/json" };
const THROTTLED = '{"errno":429,"errmsg":"too many requests"}';

/** What the service does once it has the whole request. */
const REPLIES = {
  ok: (response) => response.writeHead(200, { ...CORS, ...JSON_TYPE }).end('{"pk":1}'),
  keptAlive: (response) =>
    response.writeHead(200, { ...CORS, connection: "keep-alive" }).end('{"pk":1}'),
  noCors: (response) => response.writeHead(200, JSON_TYPE).end('{"pk":1}'),
  noContent: (response) => response.writeHead(204, CORS).end(),
  badRequest: (response) =>
    response.writeHead(400, { ...CORS, ...JSON_TYPE }).end('{"errno":400,"errmsg":"Bad Request"}'),
  throttled: (response) =>
    response
      .writeHead(429, {
        ...CORS,
        ...JSON_TYPE,
        "retry-after": "280",
        "access-control-expose-headers": "Retry-After",
      })
      .end(THROTTLED),
  throttledUnreadable: (response) =>
    response.writeHead(429, { ...CORS, ...JSON_TYPE, "retry-after": "280" }).end(THROTTLED),
  throttledInWords: (response) =>
    response
      .writeHead(429, { ...CORS, ...JSON_TYPE })
      .end('{"detail":"Request was throttled. Expected available in 2837.0 seconds."}'),
  throttledAsSuccess: (response) =>
    response.writeHead(200, { ...CORS, ...JSON_TYPE }).end(THROTTLED),
  unauthorized: (response) =>
    response.writeHead(401, { ...CORS, ...JSON_TYPE }).end('{"detail":"Invalid token."}'),
  failed: (response) =>
    response
      .writeHead(500, { ...CORS, "content-type": "text/html" })
      .end("<h1>500 server error in 3 stages</h1>"),
  badGateway: (response) => response.writeHead(502, CORS).end("<h1>Bad gateway</h1>"),
  redirect: (response) => response.writeHead(301, { ...CORS, location: "/elsewhere/" }).end(),
  reset: (response) => response.socket?.resetAndDestroy(),
  cut: (response) => response.writeHead(200, { ...CORS, "content-length": "900" }).write("{"),
  silence: () => undefined,
} as const satisfies Readonly<Record<string, Reply>>;

export type ReplyName = keyof typeof REPLIES;

export interface VoteServer {
  readonly url: string;
  readonly journal: Received[];
  reply: ReplyName;
  /** Requests that voted or reported, as `operation pk`. */
  posts(): string[];
  /** Empties the journal and answers well again. */
  reset(): void;
  /** Answers, after all, what was met with silence: a page shows a vote before it arrives, so the first is waited for. */
  answerSilent(reply: ReplyName): Promise<void>;
  /** Ends every connection, also those in the middle of an answer. */
  dropConnections(): void;
  close(): Promise<void>;
}

export async function startVoteServer(): Promise<VoteServer> {
  const journal: Received[] = [];
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = "", url = "", headers } = request;
      journal.push({ method, path: url, body, headers });
      REPLIES[service.reply](response);
      if (service.reply !== "silence") return;
      waiting.push(response);
      server.emit("silence");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const service: VoteServer = {
    url: `http://127.0.0.1:${port}`,
    journal,
    reply: "ok",
    posts: () =>
      journal.map(({ method, path, body }) => {
        const operation = /^\/apiv1\/(\w+)\/$/.exec(path)?.[1] ?? path;
        return `${method === "POST" ? "" : `${method} `}${operation} ${body.replace("pk=", "")}`;
      }),
    reset() {
      journal.length = 0;
      waiting.length = 0;
      service.reply = "ok";
    },
    async answerSilent(reply) {
      if (waiting.length === 0) await once(server, "silence");
      for (const response of waiting.splice(0)) REPLIES[reply](response);
    },
    dropConnections: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return service;
}
