/** The gates of the relay, one by one. */
import { expect, test } from "vitest";
import { admitted } from "../../src/relay/admitted.ts";
import { clientAddress, networkOf } from "../../src/relay/limit/address.ts";
import { Limits } from "../../src/relay/limit/limits.ts";
import { readPk } from "../../src/relay/read-pk.ts";

const SITE = "https://site.example";
const FETCHED = {
  "Sec-Fetch-Site": "cross-site",
  "Sec-Fetch-Mode": "cors",
  "Sec-Fetch-Dest": "empty",
};
const FORM = {
  "Sec-Fetch-Site": "cross-site",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Dest": "document",
  "Sec-Fetch-User": "?1",
};

test.each<[string, Record<string, string>, boolean]>([
  ["a script of the site", { Origin: SITE, ...FETCHED }, true],
  ["a form of the site", { Origin: SITE, ...FORM }, true],
  ["an older browser", { Origin: SITE }, true],
  ["no origin", FETCHED, false],
  ["an origin that hides", { Origin: "null", ...FETCHED }, false],
  ["another site", { Origin: "https://evil.example", ...FETCHED }, false],
  ["a name that begins like the site's", { Origin: `${SITE}.evil.example`, ...FETCHED }, false],
  ["another port", { Origin: `${SITE}:8443`, ...FETCHED }, false],
  ["another scheme", { Origin: "http://site.example", ...FETCHED }, false],
  ["the address bar", { Origin: SITE, ...FETCHED, "Sec-Fetch-Site": "none" }, false],
  [
    "a request whose answer nobody may read",
    { Origin: SITE, ...FETCHED, "Sec-Fetch-Mode": "no-cors" },
    false,
  ],
  ["a form that no person sent", { Origin: SITE, ...FORM, "Sec-Fetch-User": "" }, false],
  ["a form into a frame", { Origin: SITE, ...FORM, "Sec-Fetch-Dest": "iframe" }, false],
  ["an image", { Origin: SITE, ...FETCHED, "Sec-Fetch-Dest": "image" }, false],
])("admitted(): %s", (_, headers, expected) => {
  expect(admitted(new Headers(headers), SITE)).toBe(expected);
});

const TYPE = "application/x-www-form-urlencoded";
test.each<[body: string, type: string, { pk: number } | { status: number }]>([
  ["pk=7", TYPE, { pk: 7 }],
  ["pk=7", `${TYPE};charset=UTF-8`, { pk: 7 }],
  ["pk=9007199254740991", TYPE, { pk: Number.MAX_SAFE_INTEGER }],
  ["pk=9007199254740993", TYPE, { status: 400 }],
  ["pk=99999999999999999", TYPE, { status: 400 }],
  ["pk=0", TYPE, { status: 400 }],
  ["pk=-7", TYPE, { status: 400 }],
  ["pk=7.0", TYPE, { status: 400 }],
  ["pk=07", TYPE, { status: 400 }],
  ["pk=7e1", TYPE, { status: 400 }],
  ["pk=%207", TYPE, { status: 400 }],
  ["pk=٧", TYPE, { status: 400 }],
  ["pk=7&pk=8", TYPE, { status: 400 }],
  ["pk[]=7", TYPE, { status: 400 }],
  ["", TYPE, { status: 400 }],
  ["%ff%00", TYPE, { status: 400 }],
  [`pk=7&x=${"x".repeat(300)}`, TYPE, { status: 413 }],
  ['{"pk":7}', "application/json", { status: 415 }],
  ["pk=7", "text/plain", { status: 415 }],
  ["pk=7", "", { status: 415 }],
])("readPk() of %j as %j", async (body, type, expected) => {
  const headers = { "Content-Type": type, "Content-Length": String(Buffer.byteLength(body)) };
  const request = new Request("http://x/", { method: "POST", body, headers });
  expect(await readPk(request)).toEqual(expected);
});

test("readPk() wants the length said beforehand", async () => {
  const headers = { "Content-Type": TYPE };
  const request = new Request("http://x/", { method: "POST", body: "pk=7", headers });
  expect(await readPk(request)).toEqual({ status: 411 });
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:192.0.2.7", "192.0.2.7"],
  ["2001:DB8:0:1:aaaa:bbbb:cccc:dddd", "2001:db8:0:1"],
  ["2001:db8:0:1::5", "2001:db8:0:1"],
  ["2001:0db8::5", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
])("networkOf(%s) is %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each<[proxies: number, forwarded: string | null, client: string]>([
  [0, "198.51.100.1", "192.0.2.7"],
  [1, null, "192.0.2.7"],
  [1, "198.51.100.1", "198.51.100.1"],
  [1, "203.0.113.9, 198.51.100.1", "198.51.100.1"],
  [2, "203.0.113.9, 198.51.100.1, 192.0.2.1", "198.51.100.1"],
  [2, "198.51.100.1", "192.0.2.7"],
])("clientAddress() behind %d proxies with %j is %s", (proxies, forwarded, client) => {
  expect(clientAddress("192.0.2.7", forwarded, proxies)).toBe(client);
});

test("Limits count each address apart, and say how long to wait", async () => {
  const limits = new Limits({ requests: 2, seconds: 60 }, { requests: 3, seconds: 60 });
  expect([await limits.address("a"), await limits.address("a")]).toEqual([0, 0]);
  const waitMs = await limits.address("a");
  expect(waitMs).toBeGreaterThan(0);
  expect(waitMs).toBeLessThanOrEqual(60_000);
  expect(await limits.address("b")).toBe(0);
});
