/** What each address answers to each method, and in what shape. */
import { expect, test } from "vitest";
import { envelopeSchema, errorBodySchema } from "../../../src/contract/body.ts";
import { wireQuoteSchema, wireTagSchema } from "../../../src/contract/quote.ts";
import { filterSchema } from "../../../src/service/filter.ts";
import { z } from "zod";
import { ask, embedded, holding, page, post, quote, running } from "../support/running.ts";

const READ = "GET, HEAD, OPTIONS";
const WRITE = "POST, OPTIONS";

test.each([
  ["GET", "/apiv1/quotes/", 200, READ],
  ["HEAD", "/apiv1/quotes/", 200, READ],
  ["OPTIONS", "/apiv1/quotes/", 200, READ],
  ["POST", "/apiv1/quotes/", 405, READ],
  ["DELETE", "/apiv1/quotes/", 405, READ],
  ["GET", "/apiv1/quotes/curated=1&language=en", 200, READ],
  ["HEAD", "/apiv1/quotes/curated=1&language=en/", 200, READ],
  ["POST", "/apiv1/quotes/curated=1&language=en", 405, READ],
  ["GET", "/apiv1/quotes/12", 404, null],
  ["GET", "/apiv1/qod/", 200, READ],
  ["PUT", "/apiv1/qod/", 405, READ],
  ["GET", "/apiv1/qod/?language=xx", 404, READ],
  ["GET", "/apiv1/tags/", 200, READ],
  ["PATCH", "/apiv1/tags/", 405, READ],
  ["GET", "/apiv1/upvote/", 405, WRITE],
  ["OPTIONS", "/apiv1/upvote/", 200, WRITE],
  ["POST", "/apiv1/upvote/", 400, WRITE],
  ["POST", "/apiv1/downvote/", 400, WRITE],
  ["POST", "/apiv1/report/", 400, WRITE],
  ["GET", "/apiv1/quotes", 301, null],
  ["POST", "/apiv1/upvote", 301, null],
  ["GET", "/", 200, null],
  ["POST", "/", 405, "GET, HEAD"],
  ["GET", "/docs/", 200, null],
  ["GET", "/openapi.json", 200, null],
  ["GET", "/media/tile-1.jpeg", 200, null],
  ["GET", "/media/tile-0.jpeg", 404, null],
  ["GET", "/apiv1/", 404, null],
  ["GET", "/apiv2/quotes/", 404, null],
])("%s %s answers %d", async (method, path, status, allow) => {
  const { url } = await running();
  const response = await fetch(url + path, { method, redirect: "manual" });
  const text = await response.text();
  expect(response.status).toBe(status);
  expect(response.headers.get("Allow")).toBe(allow);
  if (status >= 400) {
    expect(z.strictObject(errorBodySchema.shape).parse(JSON.parse(text)).errno).toBe(status);
  }
});

test("a picture is kept for good, and taken for nothing else", async () => {
  const { url } = await running();
  const { headers } = await fetch(`${url}/media/tile-1.jpeg`);
  expect(headers.get("Content-Type")).toBe("image/jpeg");
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
});

test("lists and quotes have the contract's fields and no others", async () => {
  const { url } = await embedded({ maxLimit: 2_000 });
  const quotes = z.strictObject(envelopeSchema(z.strictObject(wireQuoteSchema.shape)).shape);
  const list = quotes.parse((await ask(`${url}/apiv1/quotes/?limit=2000`)).body);
  expect(list.results.length).toBeGreaterThan(900);
  const tags = z.strictObject({
    ...envelopeSchema(z.strictObject(wireTagSchema.shape)).shape,
    count: z.int(),
  });
  expect(tags.parse((await ask(`${url}/apiv1/tags/`)).body).count).toBeGreaterThan(30);
  z.strictObject(wireQuoteSchema.shape).parse((await ask(`${url}/apiv1/qod/`)).body);
});

test("the answer is JSON with the sample's headers, whatever is accepted or asked for", async () => {
  const { url } = await running();
  for (const path of ["/apiv1/quotes/", "/apiv1/quotes/?format=api"]) {
    const { headers, body } = await ask(url + path, { headers: { Accept: "text/html" } });
    expect(headers.get("Content-Type")).toBe("application/json");
    expect(headers.get("Vary")).toBe("Accept");
    expect(body).toHaveProperty("results");
  }
});

test("HEAD has the headers of GET and no body", async () => {
  const { url } = await running();
  const get = await fetch(`${url}/apiv1/quotes/`);
  const size = (await get.arrayBuffer()).byteLength;
  const head = await fetch(`${url}/apiv1/quotes/`, { method: "HEAD" });
  expect(head.headers.get("Content-Length")).toBe(String(size));
  expect(await head.text()).toBe("");
});

test("a POST without its trailing slash is sent elsewhere and does nothing", async () => {
  const { url, store } = await running();
  const { status, headers } = await post(`${url}/apiv1/upvote`, { pk: "1" });
  expect([status, headers.get("Location")]).toEqual([301, "/apiv1/upvote/"]);
  expect(store.votes()).toEqual([]);
});

test("a quote is sent as it was given: odd characters, glued authors, markup", async () => {
  const text = 'Say "hi"\r\n</script>\u202E \\ 😀 \u0007 — Somebody';
  const { url } = await holding([quote(1, { quote: text, author: "", tags: ["a,b", "É"] })]);
  expect((await page(`${url}/apiv1/quotes/`)).results).toEqual([
    { pk: 1, quote: text, author: "", likes: 0, tags: ["a,b", "É"], image: null, language: "en" },
  ]);
});

test("links and pictures are built from the configured address, not from Host", async () => {
  const { url } = await embedded({ publicUrl: "https://quotes.example/base/" });
  const { results, next } = await page(`${url}/apiv1/quotes/?limit=1000`);
  expect(next).toMatch(/^https:\/\/quotes\.example\/base\/apiv1\/quotes\/\?/);
  const images = results.flatMap((one) =>
    "image" in one && one.image !== null ? [one.image] : [],
  );
  for (const image of images) expect(image).toMatch(/^https:\/\/quotes\.example\/base\/media\//);
});

test("the description names every endpoint with its method, and every filter", async () => {
  const { url } = await running();
  const { body } = await ask(`${url}/openapi.json`);
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(body);
  for (const [path, operations] of Object.entries(paths)) {
    const { headers } = await ask(url + path, { method: "OPTIONS" });
    expect(headers.get("Allow")?.toLowerCase()).toContain(Object.keys(operations).join());
  }
  expect(Object.keys(paths)).toHaveLength(6);
  const list = JSON.stringify(paths["/apiv1/quotes/"]);
  for (const name of Object.keys(filterSchema.shape)) expect(list).toContain(`"name":"${name}"`);
});
