/** The gates of the relay, one by one. */
import { expect, test } from "vitest";
import { clientAddress, networksOf } from "../../src/util/network.ts";
import { admitted, createLimits, readPk } from "../../src/relay/admission.ts";

const SITE = "https://site.example";
const CROSS = { Origin: SITE, "Sec-Fetch-Site": "cross-site" };
const FETCHED = { ...CROSS, "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" };
const NAVIGATED = { ...CROSS, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" };
const FORM = { ...NAVIGATED, "Sec-Fetch-User": "?1" };

test.each<[string, Record<string, string>, boolean]>([
  ["a script of the site", FETCHED, true],
  ["a form of the site", FORM, true],
  ["an older browser", { Origin: SITE }, true],
  ["no origin", { ...FETCHED, Origin: "" }, false],
  ["an origin that hides", { ...FETCHED, Origin: "null" }, false],
  ["another site", { ...FETCHED, Origin: "https://evil.example" }, false],
  ["a name that begins like the site's", { ...FETCHED, Origin: `${SITE}.evil.example` }, false],
  ["another port", { ...FETCHED, Origin: `${SITE}:8443` }, false],
  ["another scheme", { ...FETCHED, Origin: "http://site.example" }, false],
  ["the address bar", { ...FETCHED, "Sec-Fetch-Site": "none" }, false],
  ["a request without an answer to read", { ...FETCHED, "Sec-Fetch-Mode": "no-cors" }, false],
  ["a form that no person sent", NAVIGATED, false],
  ["a form into a frame", { ...FORM, "Sec-Fetch-Dest": "iframe" }, false],
  ["an image", { ...FETCHED, "Sec-Fetch-Dest": "image" }, false],
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

test("readPk() refuses a body without a length", async () => {
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

test("createLimits() counts each address apart, an IPv6 one by its /64, and gives the time to wait", async () => {
  const some = createLimits({ requests: 2, seconds: 60 }, { requests: 100, seconds: 60 });
  const [first, second] = ["192.0.2.1", "2001:db8::1"];
  expect([await some.waitForAddressMs(first), await some.waitForAddressMs(first)]).toEqual([0, 0]);
  const waitMs = await some.waitForAddressMs(first);
  expect(waitMs).toBeGreaterThan(0);
  expect(waitMs).toBeLessThanOrEqual(60_000);
  expect([await some.waitForAddressMs(second), await some.waitForAddressMs("2001:db8::2")]).toEqual(
    [0, 0],
  );
  expect(await some.waitForAddressMs("2001:db8::3")).toBeGreaterThan(0);
});

test("createLimits() lets one IPv6 network fill no buckets of other readers' addresses", async () => {
  const limits = createLimits({ requests: 2, seconds: 600 }, { requests: 100_000, seconds: 60 });
  let admittedOfNetwork = 0;
  for (let n = 0; n < 20_000; n++) {
    const wait = await limits.waitForAddressMs(`2001:db8:1:${n.toString(16)}::1`);
    if (wait === 0) admittedOfNetwork++;
  }
  expect(admittedOfNetwork).toBe(40);
  let refused = 0;
  for (let n = 0; n < 500; n++) {
    const reader = `${1 + (n % 200)}.${n % 251}.7.1`;
    if ((await limits.waitForAddressMs(reader)) > 0) refused++;
  }
  expect(refused).toBe(0);
});
