/** What a service can answer, good and bad: each is one row of docs/walk.md, section 8 or of the wild. */
import { gzipSync } from "node:zlib";
import type { Reply } from "./fault-server.ts";

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };

export const text =
  (body: string, status = 200, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers });
    response.end(body);
  };

export const html = text("<!doctype html><title>Quotes</title>");

export const throttled = (headers: Record<string, string> = {}): Reply =>
  json({ errno: 429, errmsg: "too many requests" }, 429, headers);

export const reset: Reply = (_response, request) => {
  request.socket.resetAndDestroy();
};

/** Says how long it is, and ends before. */
export const cutShort =
  (body: unknown): Reply =>
  (response, request) => {
    const bytes = Buffer.from(JSON.stringify(body));
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": String(bytes.length),
    });
    response.write(bytes.subarray(0, bytes.length >> 1), () => request.socket.destroy());
  };

/** Ends before, which the JSON alone shows: the body is as long as the connection lives. */
export const cutShortQuietly =
  (body: unknown): Reply =>
  (_response, request) => {
    const bytes = JSON.stringify(body);
    request.socket.end(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n${bytes.slice(0, bytes.length >> 1)}`,
    );
  };

export const garbage: Reply = (_response, request) => {
  request.socket.end("SSH-2.0-OpenSSH_9.9\r\n");
};

/** Never ends, a byte at a time: each byte resets the idle limit. */
export const drip: Reply = (response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
};

export const stalled: Reply = (response) => {
  response.writeHead(200, { "content-type": "application/json" }).write("{");
};

export const silence: Reply = () => undefined;

/** A small body that becomes a large one. */
export const bomb = (bytes: number): Reply => {
  const packed = gzipSync(Buffer.alloc(bytes, 0x20));
  return (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    response.end(packed);
  };
};

export const redirect = (location: string, status = 302): Reply => text("", status, { location });
