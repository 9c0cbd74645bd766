/** Bodies as they are sent: packed, split, and too long. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { GarbledAnswer, PermanentAnswer } from "../../src/contract/errors.ts";
import { type Reply, serve, testClient } from "../support/http/index.ts";
import * as replies from "../support/http/index.ts";

const page = {
  next: null,
  results: [{ quote: "Erkenne dich selbst – Γνῶθι σεαυτόν.".repeat(99) }],
};
const read = (body: unknown) => ({ ok: true, value: body }) as const;

const encoded =
  (encoding: string, bytes: Buffer): Reply =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
    // In pieces that end inside of a character.
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
    response.end();
  };

const json = Buffer.from(JSON.stringify(page));

test.each([
  ["identity", json],
  ["gzip", gzipSync(json)],
  ["x-gzip", gzipSync(json)],
  ["GZIP", gzipSync(json)],
  ["deflate", deflateSync(json)],
  ["br", brotliCompressSync(json)],
])("get() reads a body that is sent as %s, in pieces", async (encoding, bytes) => {
  const { client } = testClient((await serve(encoded(encoding, bytes))).url);
  await expect(client.get("/", {}, read)).resolves.toEqual(page);
});

test.each([
  ["gzip", json],
  ["gzip", gzipSync(json).subarray(0, 50)],
  ["br", json],
])("get() asks again for a body that is no %s", async (encoding, bytes) => {
  const server = await serve(encoded(encoding, bytes), replies.json(page));
  const { client } = testClient(server.url);
  await expect(client.get("/", {}, read)).resolves.toEqual(page);
  expect(server.journal).toHaveLength(2);
});

test("get() gives up on an encoding that it does not know, and one that is a word of the language", async () => {
  for (const encoding of ["zstd", "constructor"]) {
    const { client } = testClient((await serve(encoded(encoding, json))).url);
    await expect(client.get("/", {}, read)).rejects.toBeInstanceOf(GarbledAnswer);
  }
});

test("get() reads no more of a redirect, of HTML or of a refusal than it must", async () => {
  const long = "x".repeat(30_000_000);
  const redirect = replies.text(long, 302, { location: "/elsewhere/" });
  const { client } = testClient((await serve(redirect, replies.json(page))).url);
  await expect(client.get("/", {}, read)).resolves.toEqual(page);
  const html = testClient((await serve(replies.text(long))).url);
  await expect(html.client.get("/", {}, read)).rejects.toThrow("instead of JSON");
  const refusal = testClient((await serve(replies.text(long, 404))).url);
  await expect(refusal.client.get("/", {}, read)).rejects.toBeInstanceOf(PermanentAnswer);
});
