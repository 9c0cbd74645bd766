/** Responses: JSON with the common headers, and the contract's error body for every failure. */
import { errorJson, type ErrorStatus } from "../contract/body.ts";

export type Headers = Readonly<Record<string, string>>;

/** @param body JSON text */
export function answer(body: string, headers: Headers = {}, status = 200): Response {
  return new Response(body, { status, headers: { ...headersFor(body), ...headers } });
}

export function failure(status: ErrorStatus, headers: Headers = {}): Response {
  return answer(errorJson(status), headers, status);
}

/** `Content-Length` is set here because HEAD needs it too. */
export function headersFor(body: string): Headers {
  return {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "X-Content-Type-Options": "nosniff",
    Vary: "Accept",
  };
}
