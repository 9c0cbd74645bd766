/** Answers: JSON with the headers every answer has, and the contract's error body for every failure. */
import type { ErrorBody } from "../../contract/error-body.ts";

export type Headers = Readonly<Record<string, string>>;

/** The contract names two messages (section 7); the others are the names HTTP gives these statuses. */
const MESSAGES = {
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  417: "Expectation Failed",
  421: "Misdirected Request",
  429: "too many requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;

export type ErrorStatus = keyof typeof MESSAGES;

/** @param body JSON text */
export function answer(body: string, headers: Headers = {}, status = 200): Response {
  return new Response(body, { status, headers: { ...headersFor(body), ...headers } });
}

/** A failure, in the contract's shape. */
export function failure(status: ErrorStatus, headers: Headers = {}): Response {
  return answer(failureBody(status), headers, status);
}

export function failureBody(status: ErrorStatus): string {
  const body: ErrorBody = { errno: status, errmsg: MESSAGES[status] };
  return JSON.stringify(body);
}

/** `Content-Length` is given so that HEAD has it too. */
export function headersFor(body: string): Headers {
  return {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "X-Content-Type-Options": "nosniff",
    Vary: "Accept",
  };
}
