/** `npm run relay` as a process of its own, and requests to it as a browser sends them. */
import { once } from "node:events";
import { request as send, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { startServer } from "../run/index.ts";

export const SITE = "https://site.example";

export type RunningRelay = Awaited<ReturnType<typeof startRelay>>;

/** @param env over a site, a service that needs a token, and a free port */
export const startRelay = (env: Record<string, string>) =>
  startServer("relay", [], { SITE_URL: SITE, QUOTES_TOKEN: "canary", RELAY_PORT: "0", ...env });

export interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  /** Whom a proxy in front would have seen. */
  readonly from?: string;
}

/** What a browser sends with a vote from a page of the site. */
export const VOTE_HEADERS = {
  Origin: SITE,
  "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8",
  "Sec-Fetch-Site": "cross-site",
  "Sec-Fetch-Mode": "cors",
  "Sec-Fetch-Dest": "empty",
};

/** An answer that is lost ends the test, and with it the wait. */
const ANSWER_MS = 30_000;

/** Sends one request on a connection of its own. An empty header is left out. */
export async function ask(url: string, sent: Sent = {}) {
  const { path = "/apiv1/upvote/", method = "POST", body = "pk=7", from = "" } = sent;
  const all = {
    ...VOTE_HEADERS,
    "Content-Length": String(Buffer.byteLength(body)),
    "X-Forwarded-For": from,
    ...sent.headers,
  };
  const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
  const signal = AbortSignal.timeout(ANSWER_MS);
  const request = send(url + path, { method, headers, agent: false, signal });
  request.end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const answer = await text(response);
  return { status: response.statusCode ?? 0, headers: response.headers, body: answer };
}
