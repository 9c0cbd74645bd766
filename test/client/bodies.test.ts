/** Bodies as they are sent: packed, split, and too long. */
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import { expect, test } from "vitest";
import { parseLenient } from "../../src/contract/lenient-json.ts";
import { PermanentAnswer } from "../../src/contract/errors.ts";
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

const utf16 = Buffer.from(`\uFEFF${JSON.stringify(page)}`, "utf16le");

test.each([
  ["identity", json],
  ["gzip", gzipSync(json)],
  ["x-gzip", gzipSync(json)],
  ["GZIP", gzipSync(json)],
  ["deflate", deflateSync(json)],
  ["deflate", deflateRawSync(json)],
  ["br", brotliCompressSync(json)],
  ["zstd", zstdCompressSync(json)],
  ["gzip, br", brotliCompressSync(gzipSync(json))],
  ["utf-8", json],
  ["constructor", json],
  ["gzip", json],
  ["br", json],
  ["", gzipSync(json)],
  ["identity", utf16],
  ["identity", utf16.subarray(2)],
  ["identity", Buffer.from(utf16).swap16()],
  ["identity", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), json])],
  ["identity", Buffer.concat([Buffer.from(")]}',\n"), json])],
  // Whether a stream without its last bytes is whole, its JSON shows.
  ["gzip", gzipSync(json).subarray(0, -8)],
  ["deflate", deflateSync(json).subarray(0, -4)],
  ["identity", Buffer.from(JSON.stringify(json.toString()))],
  ["identity", Buffer.from(JSON.stringify({ statusCode: 200, body: json.toString() }))],
])("get() reads a body that is sent as %j, in pieces", async (encoding, bytes) => {
  const { client } = testClient((await serve(encoded(encoding, bytes))).url);
  await expect(client.get("/", {}, read)).resolves.toEqual(page);
});

test.each([
  ["application/json"],
  ["text/plain"],
  ["text/html"],
  ["application/x-json"],
  ["application/vnd.quotes+json; version=2"],
  ["application/octet-stream"],
  ["no type"],
])("get() reads JSON with the label %s", async (type) => {
  const server = await serve((response) => {
    response.writeHead(200, type === "no type" ? {} : { "content-type": type }).end(json);
  });
  await expect(testClient(server.url).client.get("/", {}, read)).resolves.toEqual(page);
});

test.each([
  ["iso-8859-1", "latin1", "é à ß"],
  ["windows-1252", "latin1", "é à ß"],
  ['"ISO-8859-1"', "latin1", "é à ß"],
  ["utf-8; charset=latin1", "latin1", "é à ß"],
  ["no-such; charset=iso-8859-15", "latin1", "é à ß"],
] as const)(
  "get() reads a body in the charset %s that is no UTF-8",
  async (charset, name, said) => {
    const server = await serve((response) => {
      response.writeHead(200, { "content-type": `application/json; charset=${charset}` });
      response.end(Buffer.from(JSON.stringify({ said }), name));
    });
    await expect(testClient(server.url).client.get("/", {}, read)).resolves.toEqual({ said });
  },
);

const CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** Sends a head and a body as they are, and closes the connection. */
const raw =
  (head: string, body: string): Reply =>
  (_, request) =>
    void request.socket.end(head + body);

const lengthOf = (more: number): string =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${json.length + more}\r\n\r\n`;

test.each<[string, Reply, number]>([
  ["lacks its last chunk", raw(CHUNKED, chunk(json.toString())), 1],
  ["is shorter than its length says", raw(lengthOf(1), json.toString()), 1],
  ["has no length, as in HTTP/1.0", raw("HTTP/1.0 200 OK\r\n\r\n", json.toString()), 1],
  [
    "has a chunk with an extension",
    raw(CHUNKED, `${chunk(json.toString()).replace("\r", ";a=b\r")}0\r\n\r\n`),
    1,
  ],
  ["ends within a chunk", raw(CHUNKED, chunk(json.toString()).slice(0, -40)), 2],
  ["ends after a chunk of its half", raw(CHUNKED, chunk(json.toString().slice(0, 99))), 2],
  ["is cut where an object ends", raw(lengthOf(9), '{"results":[{"pk":1}'), 2],
])("get() of a body that %s: what is whole JSON is taken", async (_, reply, requests) => {
  const server = await serve(reply, replies.json(page));
  await expect(testClient(server.url).client.get("/", {}, read)).resolves.toEqual(page);
  expect(server.journal).toHaveLength(requests);
});

test.each(["application/json", "application/json; charset=utf-8", "no type"])(
  "get() reads Windows-1252 that nothing names, with the label %s, once a body of it came twice",
  async (type) => {
    const said = "« L’été à Zürich », dit-il: ¿Qué?";
    const western = Buffer.from(JSON.stringify({ said }).replace("’", "\x92"), "latin1");
    const server = await serve((response) => {
      response.writeHead(200, type === "no type" ? {} : { "content-type": type }).end(western);
    });
    const { client } = testClient(server.url);
    await expect(client.get("/", {}, read)).resolves.toEqual({ said });
    expect(server.journal).toHaveLength(2);
    await expect(client.get("/more/", {}, read)).resolves.toEqual({ said });
    expect(server.journal).toHaveLength(3);
  },
);

test.each([
  [
    "UTF-8 of which a part is broken",
    Buffer.from("Zürich, Genève, Zug, Bâle \xff", "utf8"),
    "\xffa",
  ],
  ["a byte that stands in no word", Buffer.from("Zurich "), "\xff30"],
])("get() does not read %s as Windows-1252", async (_, start, end) => {
  const said = Buffer.concat([Buffer.from('{"said":"'), start, Buffer.from(end + '"}', "latin1")]);
  const server = await serve((response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(said);
  });
  await expect(testClient(server.url).client.get("/", {}, read)).rejects.toThrow("not UTF-8");
});

test("get() reads UTF-8 although another charset is stated", async () => {
  const server = await serve((response) => {
    response.writeHead(200, { "content-type": "application/json; charset=iso-8859-1" }).end(json);
  });
  await expect(testClient(server.url).client.get("/", {}, read)).resolves.toEqual(page);
});

test.each([
  ['{"likes":NaN}', { likes: null }],
  ['{"likes":-Infinity,"b":[Infinity]}', { likes: null, b: [null] }],
  ['{"quote":"a\nb\tc"}', { quote: "a\nb\tc" }],
  ['{"quote":"NaN is \u0001 not","n":NaN}', { quote: "NaN is \u0001 not", n: null }],
  ['{"quote":"a \\" NaN","n":NaN}', { quote: 'a " NaN', n: null }],
  ['{"a":undefined,"b":None,"c":[True,False]}', { a: null, b: null, c: [true, false] }],
  [
    '{"quote":"None of undefined is True","n":None}',
    { quote: "None of undefined is True", n: null },
  ],
])("get() reads %j", async (text, value) => {
  const server = await serve(replies.text(text));
  await expect(testClient(server.url).client.get("/", {}, read)).resolves.toEqual(value);
});

test.each([
  ["a warning with brackets", `<br><b>Deprecated</b>: {x} in [v1].php<br>\n[{"a": 1}]`, [{ a: 1 }]],
  ["escapes of PHP", String.raw`{"a": "it\'s \x41 \\x41 \"b\""}`, { a: `it's A \\x41 "b"` }],
])("parseLenient() reads %s", (_, text, value) => {
  expect(parseLenient(text)).toEqual(value);
});

test("parseLenient() takes time in proportion to the text, and never completes it", () => {
  const hostile = `{"a":NaN,"${'\\"'.repeat(2_000_000)}`;
  const before = performance.now();
  expect(parseLenient(hostile)).toBeUndefined();
  expect(performance.now() - before).toBeLessThan(20_000);
  expect(parseLenient('{"a":NaN,"results":[1')).toBeUndefined();
});

test.each([
  ["gzip", gzipSync(json).subarray(0, 50)],
  ["zstd", zstdCompressSync(json).subarray(0, 50)],
  ["identity", json.subarray(0, 50)],
  ["identity", Buffer.from(JSON.stringify({ a: "é" }), "latin1")],
])("get() asks again for a body that is no %s", async (encoding, bytes) => {
  const server = await serve(encoded(encoding, bytes), replies.json(page));
  const { client } = testClient(server.url);
  await expect(client.get("/", {}, read)).resolves.toEqual(page);
  expect(server.journal).toHaveLength(2);
});

test("get() reads an answer with 20 kB of headers", async () => {
  const server = await serve(replies.json(page, 200, { "x-policy": "x".repeat(40_000) }));
  await expect(testClient(server.url).client.get("/", {}, read)).resolves.toEqual(page);
});

test("get() reads no more of a redirect, of HTML or of a refusal than it must", async () => {
  const long = "x".repeat(30_000_000);
  const redirect = replies.text(long, 302, { location: "/elsewhere/" });
  const { client } = testClient((await serve(redirect, replies.json(page))).url);
  await expect(client.get("/", {}, read)).resolves.toEqual(page);
  const refusal = testClient((await serve(replies.text(long, 404))).url);
  await expect(refusal.client.get("/", {}, read)).rejects.toBeInstanceOf(PermanentAnswer);
});
