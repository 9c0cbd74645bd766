/** Which addresses go through a proxy, and what a proxy sees: real proxies on loopback, with a name and a password. */
import { expect, test } from "vitest";
import { NO_PROXIES, dispatcherFor, proxyOf } from "../../src/http/proxy.ts";
import { LIMITS } from "../../src/client/connection.ts";
import { serve, startProxy, testClient } from "../support/http/index.ts";
import * as replies from "../support/http/index.ts";

const proxies = { http: "http://p:1", https: "http://s:2", none: "" };

test.each([
  ["http://quotes.example", "", "http://p:1"],
  ["https://quotes.example", "", "http://s:2"],
  ["https://quotes.example", "quotes.example", null],
  ["https://quotes.example", "QUOTES.example", null],
  ["https://api.quotes.example", ".quotes.example", null],
  ["https://api.quotes.example", "quotes.example", null],
  ["https://api.quotes.example", "*.quotes.example", null],
  ["https://myquotes.example", "quotes.example", "http://s:2"],
  ["https://quotes.example", "other.example, *", null],
  ["https://quotes.example:8443", "quotes.example:8443", null],
  ["https://quotes.example", "quotes.example:8443", "http://s:2"],
  ["https://quotes.example", "quotes.example:443", null],
  ["http://10.0.0.7", "10.0.0.7", null],
  ["http://[2001:db8::1]", "2001:db8::1", null],
  ["http://127.0.0.1:8080", "", null],
  ["http://localhost:8080", "", null],
  ["http://[::1]:8080", "", null],
])("proxyOf(%s) without a proxy for %j is %s", (address, none, expected) => {
  expect(proxyOf(new URL(address), { ...proxies, none })).toBe(expected);
});

const read = (body: unknown) => ({ ok: true, value: body }) as const;
const page = { next: null, results: [] };

test("get() reads a service with http through the proxy, which gets its own password", async () => {
  const server = await serve(replies.json(page));
  const proxy = await startProxy(server.port);
  const { client } = testClient("http://quotes.example", {
    proxies: { ...NO_PROXIES, http: proxy.address },
  });
  await expect(client.get("/apiv1/quotes/", { limit: 5 }, read)).resolves.toEqual(page);
  expect(proxy.seen[0]?.line).toBe("GET http://quotes.example/apiv1/quotes/?limit=5");
  expect(proxy.seen[0]?.headers["proxy-authorization"]).toMatch(/^Basic /);
  expect(server.journal).toHaveLength(1);
});

test("get() shows a proxy neither path nor credential of a service with https", async () => {
  const server = await serve(replies.json(page));
  const proxy = await startProxy(server.port);
  const { client } = testClient("https://quotes.example", {
    token: "s3cret-t0ken",
    proxies: { ...NO_PROXIES, https: proxy.address },
  });
  // The service behind the tunnel speaks no TLS.
  const failure: unknown = await client.get("/a", {}, read).catch((error: unknown) => error);
  expect(proxy.seen.map(({ line }) => line)).toContain("CONNECT quotes.example:443");
  expect(JSON.stringify(proxy.seen)).not.toMatch(/s3cret|\/a"/);
  expect(String(failure)).not.toContain("pr0xy-pass");
});

test("dispatcherFor() sends no credential in clear through a proxy, and names no password", () => {
  const through = { ...NO_PROXIES, http: "http://user:pr0xy-pass@p:3128" };
  const open = () => dispatcherFor(new URL("http://quotes.example"), LIMITS, through, true);
  expect(open).toThrow(
    "Cannot send the credential to http://quotes.example through the proxy http://p:3128",
  );
  expect(open).not.toThrow("pr0xy-pass");
});

test("get() says that a proxy refuses its password", async () => {
  const server = await serve(replies.json(page));
  const proxy = await startProxy(server.port, 407);
  const { client } = testClient("http://quotes.example", {
    proxies: { ...NO_PROXIES, http: proxy.address },
  });
  await expect(client.get("/a", {}, read)).rejects.toThrow(
    /the proxy refuses its name and password \(407\); check HTTP_PROXY/,
  );
});
