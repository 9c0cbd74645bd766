/** Pictures through a proxy: it is asked for public targets alone. A real proxy and a real host on loopback. */
import { expect, test } from "vitest";
import { PictureFailed } from "../../src/images/failures.ts";
import type { Resolver } from "../../src/images/guard.ts";
import { NO_PROXIES } from "../../src/http/proxy.ts";
import { startProxy } from "../support/http/index.ts";
import { forbiddenForms, resolveToTrap } from "./support/forbidden-forms.ts";
import { fetchWith, openHost, send } from "./support/host.ts";

const PUBLIC = [{ address: "93.184.216.34", family: 4 }];

const resolve: Resolver = (name) => {
  if (name.startsWith("private.")) return Promise.resolve([{ address: "10.0.0.7", family: 4 }]);
  if (name.startsWith("public.")) return Promise.resolve(PUBLIC);
  return Promise.reject(Object.assign(new Error("unknown name"), { code: "ENOTFOUND" }));
};

async function begin(none = "") {
  const host = await openHost((response) => send(response, 200, "picture"));
  const proxy = await startProxy(host.port);
  const proxies = { ...NO_PROXIES, http: proxy.address, https: proxy.address, none };
  const fetchPicture = fetchWith({ resolve, proxies });
  const ask = async (address: string): Promise<string> => {
    try {
      const { bytes } = await fetchPicture(address, null);
      return bytes?.toString() ?? "unchanged";
    } catch (error) {
      if (error instanceof PictureFailed) return error.reason;
      throw error;
    }
  };
  return { host, proxy, proxies, ask, lines: () => proxy.seen.map(({ line }) => line) };
}

test.each([
  ["a public name", "http://public.example/a.jpg", "picture"],
  ["a name that only the proxy resolves", "http://outside.example/a.jpg?b=1", "picture"],
  ["a public address", "http://8.8.8.8/a.jpg", "picture"],
])("fetchPicture() reads %s through the proxy", async (_, address, expected) => {
  const { ask, lines } = await begin();
  expect([await ask(address), lines()]).toEqual([expected, [`GET ${address}`]]);
});

test("fetchPicture() opens a tunnel to a host with https", async () => {
  const { ask, lines } = await begin();
  // The host behind the tunnel speaks no TLS.
  expect(await ask("https://public.example/secret.jpg")).toBe("unreachable");
  expect(lines()).toEqual(["CONNECT public.example:443"]);
});

test.each([
  ["http://private.example/a.jpg", "forbidden-address"],
  ["https://private.example/a.jpg", "forbidden-address"],
  ["http://10.0.0.7/a.jpg", "forbidden-address"],
  ["http://[::ffff:7f00:1]/a.jpg", "forbidden-address"],
  ["http://printer.local/a.jpg", "forbidden-address"],
  ["http://public.example:8080/a.jpg", "forbidden-address"],
])("fetchPicture() does not send a proxy to %s", async (address, reason) => {
  const { ask, lines } = await begin();
  expect([await ask(address), lines()]).toEqual([reason, []]);
});

test("fetchPicture() sends a proxy to no forbidden form of an address", async () => {
  const { proxy, proxies } = await begin();
  const fetchPicture = fetchWith({ resolve: resolveToTrap, proxies });
  for (const form of forbiddenForms(80)) {
    await expect(fetchPicture(form, null)).rejects.toThrow(PictureFailed);
  }
  expect(proxy.seen).toEqual([]);
});

test("fetchPicture() reaches a host of NO_PROXY directly, and checks it as ever", async () => {
  const { ask, lines } = await begin("private.example");
  expect([await ask("http://private.example/a.jpg"), lines()]).toEqual(["forbidden-address", []]);
});
