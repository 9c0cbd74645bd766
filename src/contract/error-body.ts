/** What a service says went wrong: `{errno, errmsg}` by the contract (section 7), `{detail}` in the wild. */
import { z } from "zod";
import { excessOf } from "./limits.ts";
import { cleanName } from "./text.ts";

/** The error that the embedded service and the relay write. */
export const errorBodySchema = z.object({ errno: z.int(), errmsg: z.string() });

/** The contract names two messages (section 7); the others are the names HTTP gives these statuses. */
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

/** The body of an error, as JSON. */
export function errorJson(status: ErrorStatus): string {
  const body: z.infer<typeof errorBodySchema> = { errno: status, errmsg: ERROR_MESSAGES[status] };
  return JSON.stringify(body);
}

/** Messages go to logs and terminals; nothing useful is longer. */
const MAX_MESSAGE_LENGTH = 200;

/** The message of an error body, cleaned and cut short; null when the body is not one. */
export function readErrorBody(body: unknown): string | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  if ("results" in body || "pk" in body) return null;
  if ("errno" in body || "errmsg" in body) {
    return brief("errmsg" in body ? body.errmsg : "errno" in body ? body.errno : null);
  }
  return "detail" in body ? brief(body.detail) : null;
}

function brief(message: unknown): string {
  const text = typeof message === "string" ? message : described(message);
  // Cut before it is cleaned, and after: cleaning makes it shorter.
  const start = text.slice(0, 4 * MAX_MESSAGE_LENGTH);
  return cleanName(start).slice(0, MAX_MESSAGE_LENGTH).toWellFormed();
}

function described(message: unknown): string {
  const excess = excessOf(message);
  return excess === null ? JSON.stringify(message ?? "no reason given") : `a reason, but ${excess}`;
}
