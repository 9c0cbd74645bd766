/** Error bodies: `{errno, errmsg}` in the contract (section 7), `{detail}` from other services. */
import { z } from "zod";
import { findExcess } from "./limits.ts";
import { cleanName } from "./text.ts";

/** The error body of the embedded service and of the relay. */
export const errorBodySchema = z.object({ errno: z.int(), errmsg: z.string() });

/** The contract names two messages (section 7); the others are HTTP's names of the statuses. */
export const ERROR_MESSAGES = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  411: "Length Required",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  417: "Expectation Failed",
  421: "Misdirected Request",
  429: "too many requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
} as const;

export type ErrorStatus = keyof typeof ERROR_MESSAGES;

export function errorJson(status: ErrorStatus): string {
  const body: z.infer<typeof errorBodySchema> = { errno: status, errmsg: ERROR_MESSAGES[status] };
  return JSON.stringify(body);
}

/** Longer messages are cut: they go to logs and terminals. */
const MAX_MESSAGE_LENGTH = 200;

/** Reads the message of an error body, cleaned and cut short; null when the body is not an error. */
export function readErrorBody(body: unknown): string | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  if ("results" in body || "pk" in body) return null;
  if ("errno" in body || "errmsg" in body) {
    return shorten("errmsg" in body ? body.errmsg : "errno" in body ? body.errno : null);
  }
  return "detail" in body ? shorten(body.detail) : null;
}

function shorten(message: unknown): string {
  const text = typeof message === "string" ? message : describe(message);
  // The first cut bounds the cost of cleaning.
  const start = text.slice(0, 4 * MAX_MESSAGE_LENGTH);
  return cleanName(start).slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
}

function describe(message: unknown): string {
  const excess = findExcess(message);
  return excess === null ? JSON.stringify(message ?? "no reason given") : `a reason, but ${excess}`;
}
