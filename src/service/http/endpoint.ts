/**
 * One address of the service and all it does with each method: answers, `HEAD`, `OPTIONS`, 405, and the missing slash.
 *
 * Without the trailing slash the answer is 301 whatever the method, as Django gives it; a client that follows it turns
 * a POST into a GET and loses the vote, which is exactly what a client must be tested against.
 */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Env } from "hono";
import { answer, failure } from "./answers.ts";

export type Handler = (c: Context<Env, string>) => Response | Promise<Response>;

export interface Endpoint {
  /** Ends in a slash. */
  readonly path: string;
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly handle: Handler;
  /** Answers at a second path, too, in the syntax of the router. */
  readonly alias?: string;
}

/** Media types that a POST may have. */
const PARSES = [
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
] as const;

/** `Allow` of an endpoint. */
export function allowedBy(method: Endpoint["method"]): string {
  return method === "GET" ? "GET, HEAD, OPTIONS" : "POST, OPTIONS";
}

export function mount(app: OpenAPIHono, endpoint: Endpoint): void {
  const allow = { Allow: allowedBy(endpoint.method) };
  const options = JSON.stringify({
    name: endpoint.name,
    renders: ["application/json"],
    parses: endpoint.method === "POST" ? PARSES : [],
  });
  const paths = endpoint.alias === undefined ? [endpoint.path] : [endpoint.path, endpoint.alias];
  for (const path of paths) {
    // The router gives HEAD to GET's handler and drops the body.
    app.on(endpoint.method, path, endpoint.handle);
    app.options(path, () => answer(options, allow));
    app.all(path, () => failure(405, allow));
  }
  app.all(endpoint.path.slice(0, -1), (c) => {
    const { search } = new URL(c.req.url);
    const headers = { Location: endpoint.path + search, "Content-Length": "0" };
    return new Response(null, { status: 301, headers });
  });
}
