/** Access to the service: host names, credential, quota, and the origin whose pages may read the answers. */
import { hash, timingSafeEqual } from "node:crypto";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { isLoopbackName, networksOf, urlHostname } from "../util/network.ts";
import { Limiter, type Rate } from "../util/rate-limit.ts";
import { failure } from "./answers.ts";

/**
 * Lets pages of one origin read the answers. A preflight is answered here and does not count against the quota; only
 * `Retry-After` is exposed.
 */
export function allowOrigin(origin: string, withToken: boolean): MiddlewareHandler {
  const allow = cors({
    origin: [origin],
    allowMethods: ["GET", "HEAD", "POST"],
    allowHeaders: withToken ? ["Authorization", "Content-Type"] : ["Content-Type"],
    exposeHeaders: ["Retry-After"],
    maxAge: 600,
  });
  // A preflight always has `Access-Control-Request-Method`.
  return (c, next) =>
    c.req.method === "OPTIONS" && c.req.header("Access-Control-Request-Method") === undefined
      ? next()
      : allow(c, next);
}

/**
 * Answers only requests to a loopback name or an allowed host name. This prevents DNS rebinding: a foreign page whose name
 * resolves to 127.0.0.1 cannot read the answers.
 */
export function allowHosts(names: readonly string[]): MiddlewareHandler {
  const allowed = new Set(names.map(urlHostname));
  return async (c, next) => {
    // For a request without `Host`, the adapter puts the listening address into the URL.
    const host = c.req.header("Host") ?? new URL(c.req.url).host;
    const name = URL.parse(`http://${host}`)?.hostname ?? "";
    return isLoopbackName(name) || allowed.has(name) ? next() : failure(421);
  };
}

/** Requires `Authorization: Token …`; any other scheme, and a missing or wrong credential, is 401. */
export function requireToken(token: string): MiddlewareHandler {
  const digest = (text: string): Buffer => hash("sha256", text, "buffer");
  const expected = digest(token);
  return async (c, next) => {
    if (c.req.method === "OPTIONS") return next();
    const [, given] = /^Token +(\S+)$/i.exec(c.req.header("Authorization") ?? "") ?? [];
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return next();
    return failure(401, { "WWW-Authenticate": "Token" });
  };
}

/** Limits requests by client address. Behind a proxy all clients share one quota. */
export function limitRequests(quota: Rate): MiddlewareHandler {
  const limiter = new Limiter(quota);
  return async (c, next) => {
    if (c.req.method === "OPTIONS") return next();
    const { subscriber } = networksOf(getConnInfo(c).remote.address ?? "");
    const waitMs = await limiter.waitMs(subscriber);
    return waitMs === 0
      ? next()
      : failure(429, { "Retry-After": String(Math.ceil(waitMs / 1_000)) });
  };
}
