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

const reply =
  (status: number, body = "", headers: Readonly<Record<string, string>> = JSON_TYPE): Reply =>
  (response) =>
    response.writeHead(status, { ...CORS, ...headers }).end(body);

const WAIT = { "retry-after": "280" };
const EXPOSED = { "access-control-expose-headers": "Retry-After" };
const IN_WORDS = '{"detail":"Request was throttled. Expected available in 2837.0 seconds."}';

/** What the service does once it has the whole request. */
const REPLIES = {
  ok: reply(200, '{"pk":1}'),
  noCors: (response) => response.writeHead(200, JSON_TYPE).end('{"pk":1}'),
  noContent: reply(204, "", {}),
  badRequest: reply(400, '{"errno":400,"errmsg":"Bad Request"}'),
  throttled: reply(429, THROTTLED, { ...JSON_TYPE, ...WAIT, ...EXPOSED }),
  throttledUnreadable: reply(429, THROTTLED, { ...JSON_TYPE, ...WAIT }),
  throttledInWords: reply(429, IN_WORDS),
  throttledForDays: reply(429, THROTTLED, { ...JSON_TYPE, ...EXPOSED, "retry-after": "180000" }),
  // Seconds since 1970, by mistake.
  throttledForYears: reply(429, THROTTLED, { ...JSON_TYPE, "retry-after": "315360000" }),
  throttledAsSuccess: reply(200, THROTTLED),
  throttledInPieces: (response) => {
    response.writeHead(200, JSON_TYPE).write(THROTTLED.slice(0, 9), () => {
      setTimeout(() => response.end(THROTTLED.slice(9)), 50);
    });
  },
  unauthorized: reply(401, '{"detail":"Invalid token."}'),
  failed: reply(500, "<h1>500 server error in 3 stages</h1>", { "content-type": "text/html" }),
  badGateway: reply(502, "<h1>Bad gateway</h1>", {}),
  redirect: reply(301, "", { location: "/elsewhere/" }),
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
  /** Empties the journal, ends every connection and answers well again. */
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
      // One that the browser keeps would be used again, also by the next test.
      server.closeAllConnections();
    },
    async answerSilent(name) {
      if (waiting.length === 0) await once(server, "silence");
      for (const response of waiting.splice(0)) REPLIES[name](response);
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
