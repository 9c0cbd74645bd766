/** Which addresses go through a proxy, and what a proxy sees: real proxies on loopback, with a name and a password. */
import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { NO_PROXIES, dispatcherFor, proxyOf } from "../../src/http/proxy.ts";
import { LIMITS } from "../../src/client/connection.ts";
import { serve, testClient } from "../support/http/index.ts";
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

/** A proxy that sends everything to one port, and notes what it is asked. */
async function startProxy(port: number, status = 200) {
  const seen: { line: string; headers: NodeJS.Dict<string | string[]> }[] = [];
  const server = createServer((request, response) => {
    seen.push({ line: `${request.method ?? ""} ${request.url ?? ""}`, headers: request.headers });
    if (status !== 200) return void response.writeHead(status).end();
    const { pathname, search } = new URL(request.url ?? "");
    const { "proxy-authorization": _, ...headers } = request.headers;
    const onward = forward({ port, host: "127.0.0.1", path: pathname + search, headers }, (got) => {
      response.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(response);
    });
    request.pipe(onward);
  });
  server.on("connect", (request, client: Socket) => {
    seen.push({ line: `CONNECT ${request.url ?? ""}`, headers: request.headers });
    const onward = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.pipe(client).pipe(onward);
    });
    onward.on("error", () => client.destroy());
    client.on("error", () => onward.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port: own } = server.address() as AddressInfo;
  return { seen, address: `http://user:pr0xy-pass@127.0.0.1:${own}` };
}

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
