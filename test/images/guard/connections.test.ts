import { request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { PictureFailed } from "../../../src/images/failures.ts";
import type { FetchOptions } from "../../../src/images/fetch-picture.ts";
import { forbiddenKind, openAgents, type Resolver, WEB_PORTS } from "../../../src/images/guard.ts";
import { forbiddenForms, resolveToTrap } from "../support/forbidden-forms.ts";
import { fetchWith, openHost, send } from "../support/host.ts";

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
