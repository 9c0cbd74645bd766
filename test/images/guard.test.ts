import { request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { PictureFailed } from "../../src/images/failures.ts";
import type { FetchOptions } from "../../src/images/fetch-picture.ts";
import {
  admit,
  forbiddenKind,
  openAgents,
  type Resolver,
  WEB_PORTS,
} from "../../src/images/guard.ts";
import { forbiddenForms, resolveToTrap } from "./support/forbidden-forms.ts";
import { fetchWith, openHost, send } from "./support/host.ts";

const policy = { ownOrigin: "http://127.0.0.1:8080", ports: [80, 443] };

test.each([
  ["https://pictures.example/a.jpg", false],
  ["http://pictures.example:80/a.jpg", false],
  ["https://8.8.8.8/a.jpg", false],
  ["https://[2606:4700::1111]/a.jpg", false],
  ["http://127.0.0.1:8080/a.jpg", true],
  ["http://0x7f.1:8080/a.jpg", true],
])("admit() lets %s pass", (address, own) => {
  expect(admit(address, null, true, policy)).toMatchObject({ own });
});

/** With the neighbours of each forbidden range, and the addresses of IPv4 names in a network without IPv4. */
const PUBLIC = `
  8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.17 172.15.255.255
  172.32.0.0 192.0.1.0 198.17.255.255 198.20.0.0 223.255.255.255 2606:4700::1111 2001:4860:4860::8888 2001:200::1
  3ffe::1 64:ff9b::8.8.8.8 ::ffff:8.8.8.8`;

test.each(PUBLIC.trim().split(/\s+/))("forbiddenKind() lets %s pass: it is public", (ip) => {
  expect(forbiddenKind(ip)).toBeNull();
});

test.each([
  ["another port of our machine", "http://127.0.0.1:8081/a.jpg", "port 8081 is not of the web"],
  ["another scheme of our origin", "https://127.0.0.1:8080/a", "port 8080 is not of the web"],
  ["credentials, even for our origin", "http://a:b@127.0.0.1:8080/a", "it carries credentials"],
  ["a name for our own address", "http://localhost:8080/a.jpg", "port 8080 is not of the web"],
  ["a local name", "http://printer.local/a.jpg", "its name is a local one"],
  ["a literal", "http://10.0.0.1/a.jpg", "10.0.0.1 is private"],
  ["a scheme", "ftp://pictures.example/a.jpg", "ftp: is not http or https"],
])("admit() refuses %s", (_, address, detail) => {
  const refusal = new PictureFailed("forbidden-address", detail);
  expect(() => admit(address, null, true, policy)).toThrow(refusal);
});

test("admit() reads a redirect against the address that sent it, and drops its fragment", () => {
  const base = new URL("https://pictures.example/a/b.jpg");
  const { url } = admit("../c.jpg#x", base, false, policy);
  expect(url.href).toBe("https://pictures.example/c.jpg");
});

const fetcher = (how: Partial<FetchOptions>, ownOrigin: string | null, ...ports: number[]) =>
  fetchWith({ ...how, ownOrigin, ports: [...WEB_PORTS, ...ports] });

/** The reason there was no picture; `fetched` when there was one. */
async function outcome(address: string, fetchPicture: ReturnType<typeof fetchWith>) {
  try {
    await fetchPicture(address, null);
    return "fetched";
  } catch (error) {
    if (error instanceof PictureFailed) return error.reason;
    throw error;
  }
}

/** On every address of the machine, IPv6 too where it has that. */
const openTrap = async () =>
  openHost((response) => send(response, 200, "caught"), "::").catch(() =>
    openHost((response) => send(response, 200, "caught"), "0.0.0.0"),
  );

test("no forbidden form makes a connection", async () => {
  const trap = await openTrap();
  const fetching = fetcher({ resolve: resolveToTrap }, null, trap.port);
  const forms = forbiddenForms(trap.port);
  expect(new Set(forms).size).toBeGreaterThanOrEqual(120);
  const passed: string[] = [];
  for (const form of forms) {
    const reason = await outcome(form, fetching);
    if (!["forbidden-address", "not-an-address"].includes(reason))
      passed.push(`${form}: ${reason}`);
  }
  expect(passed).toEqual([]);
  expect(trap.connections()).toBe(0);
  // The trap is really there.
  await outcome(`${trap.url}/`, fetcher({}, trap.url));
  expect(trap.connections()).toBe(1);
});

test("the connection checks literals and names again", async () => {
  const trap = await openTrap();
  const agents = openAgents(resolveToTrap);
  onTestFinished(agents.close);
  for (const host of ["127.0.0.1", "[::1]", "[::ffff:7f00:1]", "private.example", "zone.example"]) {
    const asking = request(`http://${host}:${trap.port}/`, { dispatcher: agents.guarded });
    await expect(asking).rejects.toMatchObject({ reason: "forbidden-address" });
  }
  expect(trap.connections()).toBe(0);
});

test("a redirect to a forbidden address is not followed", async () => {
  const trap = await openTrap();
  const targets = [`http://127.0.0.1:${trap.port}/`, `http://2130706433:${trap.port}/`]
    .concat(`http://[::ffff:7f00:1]:${trap.port}/`, `//localhost:${trap.port}/`)
    .concat(`http://private.example:${trap.port}/`, "file:///etc/passwd");
  const host = await openHost((response, request) => {
    const location = targets[Number(request.url?.slice(1))] ?? "/";
    response.writeHead(302, { location }).end();
  });
  const fetching = fetcher({ resolve: resolveToTrap }, host.url, trap.port);
  for (const at of targets.keys()) {
    expect(await outcome(`${host.url}/${at}`, fetching)).toBe("forbidden-address");
  }
  expect(host.journal).toHaveLength(targets.length);
  expect(trap.connections()).toBe(0);
});

test("three redirects are followed and a fourth is not", async () => {
  const host = await openHost((response, request) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) send(response, 200, "here");
    else response.writeHead(302, { location: `/${left - 1}` }).end();
  });
  const fetching = fetcher({}, host.url);
  expect(await outcome(`${host.url}/3`, fetching)).toBe("fetched");
  expect(await outcome(`${host.url}/4`, fetching)).toBe("too-many-redirects");
});

/** Takes 127.0.0.2 for an address of the public internet. */
const publicLoopback = (ip: string) => (ip === "127.0.0.2" ? null : forbiddenKind(ip));

test("a name that resolves to another address later is connected to the one that was checked", async () => {
  const first = await openHost((response) => {
    response.writeHead(200, { connection: "close" }).end("first");
  }, "127.0.0.2");
  const asked: string[] = [];
  const resolve: Resolver = (name) => {
    asked.push(name);
    const address = asked.length === 1 ? "127.0.0.2" : "127.0.0.1";
    return Promise.resolve([{ address, family: 4 }]);
  };
  const fetching = fetcher({ resolve, judge: publicLoopback }, null, first.port);
  const address = `http://rebinding.example:${first.port}/`;
  expect(await outcome(address, fetching)).toBe("fetched");
  expect(asked).toHaveLength(1);
  expect(await outcome(address, fetching)).toBe("forbidden-address");
  expect(first.connections()).toBe(1);
});

test("a redirect from another host to the service is not followed", async () => {
  const service = await openHost((response) => send(response, 200, "secret"));
  const stranger = await openHost((response) => {
    response.writeHead(302, { location: `${service.url}/` }).end();
  }, "127.0.0.2");
  const resolve: Resolver = () => Promise.resolve([{ address: "127.0.0.2", family: 4 }]);
  const how = { resolve, judge: publicLoopback };
  const fetching = fetcher(how, service.url, stranger.port, service.port);
  const address = `http://stranger.example:${stranger.port}/`;
  expect(await outcome(address, fetching)).toBe("forbidden-address");
  expect(service.connections()).toBe(0);
});
