/** The gates of the relay, one by one. */
import { expect, test } from "vitest";
import { clientAddress, networksOf } from "../../src/contract/network.ts";
import { Limits } from "../../src/relay/limits.ts";
import { admitted, readPk } from "../../src/relay/request.ts";

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
    "a request whose answer may not be read",
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
  ["192.0.2.7", "192.0.2.7/32", "192.0.2/24"],
  ["::ffff:192.0.2.7", "192.0.2.7/32", "192.0.2/24"],
  ["::FFFF:c000:207", "192.0.2.7/32", "192.0.2/24"],
  ["2001:DB8:0:1:aaaa:bbbb:cccc:dddd", "32.1.13.184.0.0.0.1/64", "32.1.13.184.0.0/48"],
  ["2001:db8:0:1::5", "32.1.13.184.0.0.0.1/64", "32.1.13.184.0.0/48"],
  ["2001:0db8::5", "32.1.13.184.0.0.0.0/64", "32.1.13.184.0.0/48"],
  ["fe80::1%eth0", "254.128.0.0.0.0.0.0/64", "254.128.0.0.0.0/48"],
  ["edge", "edge", "edge"],
  ["127.1", "127.1", "127.1"],
])("networksOf(%s) are %s and %s", (address, subscriber, site) => {
  expect(networksOf(address)).toEqual({ subscriber, site });
});

const PEER = "192.0.2.7";
test.each<[proxies: number, forwarded: string | null, client: string]>([
  [0, "198.51.100.1", PEER],
  [1, null, PEER],
  [1, "198.51.100.1", "198.51.100.1"],
  [1, "203.0.113.9, 198.51.100.1", "198.51.100.1"],
  [2, "203.0.113.9, 198.51.100.1, 192.0.2.1", "198.51.100.1"],
  [2, "198.51.100.1", PEER],
  [1, "198.51.100.1:4711", "198.51.100.1"],
  [1, "[2001:db8::1]:4711", "2001:db8::1"],
  [1, "[2001:db8::1]", "2001:db8::1"],
  [1, "2001:db8::1", "2001:db8::1"],
  [1, "[198.51.100.1]", "198.51.100.1"],
  [1, "198.51.100.1:", PEER],
  [1, "198.51.100.1:x", PEER],
  [1, "198.51.100.1:123456", PEER],
  [1, "198.51.100.1:1:2", PEER],
  [1, "[2001:db8::1]x", PEER],
  [1, "[198.51.100.1", PEER],
  [1, "unknown", PEER],
  [1, "_hidden", PEER],
  [1, "0x7f.1", PEER],
  [1, "198.51.100.999", PEER],
  [1, "", PEER],
  [1, `198.51.100.1, ${":".repeat(9_000)}`, PEER],
])("clientAddress() behind %d proxies with %j is %s", (proxies, forwarded, client) => {
  expect(clientAddress(PEER, forwarded, proxies)).toBe(client);
});

const limits = (perAddress: number, total: number) =>
  new Limits({ requests: perAddress, seconds: 60 }, { requests: total, seconds: 60 });

test("Limits count each address apart, an IPv6 one by its /64, and say how long to wait", async () => {
  const some = limits(2, 100);
  const [first, second] = ["192.0.2.1", "2001:db8::1"];
  expect([await some.ask(first), await some.ask(first)]).toEqual([0, 0]);
  const waitMs = await some.ask(first);
  expect(waitMs).toBeGreaterThan(0);
  expect(waitMs).toBeLessThanOrEqual(60_000);
  expect([await some.ask(second), await some.ask("2001:db8::2")]).toEqual([0, 0]);
  expect(await some.ask("2001:db8::3")).toBeGreaterThan(0);
});

test.each([
  ["IPv4 /24", (n: number) => `192.0.2.${n}`, "192.0.3.1"],
  ["IPv6 /48", (n: number) => `2001:db8:0:${n}::1`, "2001:db8:1::1"],
])("Limits give an %s a tenth of the total, and leave the rest", async (_, of, other) => {
  const some = limits(1_000, 50);
  const waits = [];
  for (let n = 1; n <= 200; n++) waits.push(await some.passOn(of(n)));
  expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(5);
  for (let n = 0; n < 5; n++) expect(await some.passOn(other)).toBe(0);
});

test("Limits hold the total", async () => {
  const some = limits(1_000, 50);
  const waits = [];
  for (let n = 0; n < 100; n++) waits.push(await some.passOn(`10.${n}.0.1`));
  expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(50);
});
