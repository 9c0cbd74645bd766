/** Connections: which resets are repeated at once, redirects, firewalls, and every address of a name. */
import { expect, onTestFinished, test } from "vitest";
import { quotesOf } from "../../src/client/quotes.ts";
import { EVERYTHING } from "../../src/contract/window.ts";
import { ConfigurationError } from "../../src/contract/errors.ts";
import { serve, startFaultServer, testClient, type Reply } from "../support/http/index.ts";
import * as replies from "../support/http/index.ts";
import { wireQuote } from "../support/service/index.ts";

const good = replies.json({ next: null, results: [] });
const read = (body: unknown) => ({ ok: true, value: body }) as const;

/** Answers each connection as often as `answers` says, then resets it. */
async function startResetting(answers: number) {
  const served = new WeakMap<object, number>();
  const server = await startFaultServer(() => (response, request) => {
    const before = served.get(request.socket) ?? 0;
    served.set(request.socket, before + 1);
    (before < answers ? good : replies.reset)(response, request);
  });
  onTestFinished(() => server.close());
  return server;
}

test.each([1, 2, 5])(
  "get() reads without a pause where a connection is reset after %i answers",
  async (answers) => {
    const server = await startResetting(answers);
    const { client, runtime, ledger } = testClient(server.url, { concurrency: 1 });
    for (let page = 0; page < 40; page++) await client.get("/", { page }, read);
    expect(runtime.slept).toEqual([]);
    expect(client.counts.retries).toBe(0);
    expect(ledger.pace).toBeNull();
    // After three resets no connection is kept, so that none is reset any more.
    expect(server.journal).toHaveLength(43);
    expect(ledger.requests).toBe(43);
  },
);

test("get() counts a reset of a fresh connection as a refusal", async () => {
  const server = await serve(replies.reset, good);
  const { client, runtime } = testClient(server.url);
  await client.get("/", {}, read);
  expect(runtime.slept).toHaveLength(1);
});

test.each([
  ["bare line feeds in its head", "HTTP/1.1 200 OK\nContent-Length: 2\n\n{}"],
  [
    "a space behind the size of a chunk",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2 \r\n{}\r\n0\r\n\r\n",
  ],
])("get() reads an answer with %s, which breaks the rules of HTTP", async (_, answer) => {
  const server = await serve((_response, request) => void request.socket.end(answer));
  const { client, runtime } = testClient(server.url);
  for (const page of [1, 2]) await expect(client.get("/", { page }, read)).resolves.toEqual({});
  // The first answer shows it.
  expect(server.journal).toHaveLength(3);
  expect(runtime.slept).toEqual([]);
});

test.each([
  [301, 3],
  [308, 3],
  [302, 4],
])("get() remembers a redirect with status %i for the run", async (status, requests) => {
  const server = await startFaultServer(({ url }) =>
    url.pathname === "/old/" ? replies.redirect(`/new/${url.search}`, status) : good,
  );
  onTestFinished(() => server.close());
  const { client } = testClient(server.url);
  await client.get("/old/", { limit: 5 }, read);
  await client.get("/old/", { limit: 6 }, read);
  expect(server.journal).toHaveLength(requests);
  expect(server.journal.at(-1)?.url.href).toMatch(/\/new\/\?limit=6$/);
});

test.each<[string, Reply, RegExp]>([
  [
    "a redirect to a log-in page",
    replies.redirect("/accounts/login/?next=/x"),
    /log-in page \/accounts\/login\/; .*QUOTES_TOKEN/,
  ],
  [
    "a redirect that drops the query",
    replies.redirect("/v2/"),
    /to \/v2\/ that drops limit of the query; set QUOTES_BASE_URL/,
  ],
  [
    "a redirect elsewhere",
    replies.redirect("https://other.example/"),
    /to https:\/\/other\.example; set QUOTES_BASE_URL/,
  ],
  [
    "a challenge with a header",
    replies.text("", 403, { "cf-mitigated": "challenge" }),
    /answered 403, a page of a firewall .*let this address/,
  ],
  [
    "a challenge with HTML",
    replies.text("<title>Just a moment...</title>", 403),
    /a firewall that keeps programs out; (?!.*QUOTES_TOKEN)/,
  ],
  [
    "a wrong credential",
    replies.json({ detail: "Invalid token." }, 401),
    /answered 401 "Invalid token\."; check QUOTES_TOKEN/,
  ],
  ["a forbidden address", replies.json({}, 403), /answered 403; check QUOTES_TOKEN/],
])("get() says what %s is", async (_, reply, message) => {
  const { client } = testClient((await serve(reply)).url);
  const failure: unknown = await client
    .get("/apiv1/quotes/", { limit: 5 }, read)
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConfigurationError);
  expect(String(failure)).toMatch(message);
});

test.each([
  [
    "of maintenance",
    "<title>Under maintenance</title>",
    /HTML .*: "Under maintenance"; (?!.*firewall)/,
  ],
  ["of a firewall", "<title>Just a moment...</title>", /HTML .*, a page of a firewall/],
])("get() names a page %s with status 200 as what it is", async (_, html, message) => {
  const { client } = testClient((await serve(replies.text(html, 200))).url);
  await expect(client.get("/apiv1/quotes/", { limit: 5 }, read)).rejects.toThrow(message);
});

test("get() reaches a service that listens on ::1 alone by the name localhost", async () => {
  const server = await startFaultServer(() => good, 0, "::1");
  onTestFinished(() => server.close());
  const { client, runtime } = testClient(`http://localhost:${server.port}`);
  await client.get("/", {}, read);
  expect(runtime.slept).toEqual([]);
});

test("quotesOf() keeps the published value of a field that it cannot read, and counts it", async () => {
  const rows = [wireQuote(1, { likes: 4 }), { ...wireQuote(2), likes: "many", author: 5 }];
  const server = await serve(replies.json({ next: null, results: rows }));
  const { client } = testClient(server.url);
  const before = await quotesOf(testClient(server.url).client)(EVERYTHING, 0, 9);
  const published = before.quotes.map((quote) => ({ ...quote, likes: 77, author: "Sappho" }));
  const known = (id: number) => published.find((quote) => quote.id === id);
  const { quotes } = await quotesOf(client, undefined, undefined, known)(EVERYTHING, 0, 9);
  expect(quotes).toMatchObject([{ likes: 4 }, { likes: 77, author: "Sappho" }]);
  expect(Object.fromEntries(client.unread)).toEqual({ likes: new Set([2]), author: new Set([2]) });
});
