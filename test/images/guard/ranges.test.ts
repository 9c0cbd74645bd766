import fc from "fast-check";
import { expect, test } from "vitest";
import { admit, forbiddenKind } from "../../../src/images/guard.ts";

/** With what is next to each forbidden range, and what a network without IPv4 resolves every name of IPv4 to. */
const PUBLIC = `
  8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.17 172.15.255.255
  172.32.0.0 192.0.1.0 198.17.255.255 198.20.0.0 223.255.255.255 2606:4700::1111 2001:4860:4860::8888 2001:200::1
  3ffe::1 64:ff9b::8.8.8.8 ::ffff:8.8.8.8`;

test.each(PUBLIC.trim().split(/\s+/))("forbiddenKind() lets %s pass: it is public", (ip) => {
  expect(forbiddenKind(ip)).toBeNull();
});

const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.1", "::ffff:127.0.0.1"],
  linkLocal: ["64:ff9b::a9fe:a9fe", "fe80::1%eth0"],
  carrierGradeNat: ["100.127.255.255"],
  private: ["172.31.255.255", "192.168.255.255"],
  platform: ["168.63.129.16"],
  as112: ["192.31.196.1", "192.175.48.1"],
  amt: ["192.52.193.1"],
  as112v6: ["2620:4f:8000::1"],
  reserved: ["192.0.0.8", "198.19.255.255", "2001:1ff:ffff::", "2001:db8:ffff::", "3fff:fff::1"],
  multicast: ["239.255.255.255"],
  broadcast: ["255.255.255.255"],
  teredo: ["2001:0:4136:e378::"],
  "6to4": ["2002:808:808::"],
  rfc6052: ["64:ff9b:1::808:808"],
  "not public": ["1fff:ffff::"],
  unspecified: ["::"],
  "not an address": ["", "127.1"],
};

test.each(Object.entries(FORBIDDEN))("forbiddenKind() calls %s: %j", (kind, ips) => {
  expect(ips.map(forbiddenKind)).toEqual(ips.map(() => kind));
});

/** A number as a URL may write it. */
const spelled = (value: number) =>
  fc.constantFrom(String(value), `0x${value.toString(16)}`, `0${value.toString(8)}`);

const privateIp = fc.oneof(
  fc.tuple(fc.constantFrom(10, 127), fc.nat(255), fc.nat(255), fc.nat(255)),
  fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
  fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
);

const anySpelling = privateIp.chain(([a, b, c, d]) => {
  const tail = c * 256 + d;
  const hex = `${(a * 256 + b).toString(16)}:${tail.toString(16)}`;
  return fc.oneof(
    fc.tuple(spelled(a), spelled(b), spelled(c), spelled(d)).map((parts) => parts.join(".")),
    fc.tuple(spelled(a), spelled(b), spelled(tail)).map((parts) => parts.join(".")),
    spelled(((a * 256 + b) * 256 + c) * 256 + d),
    fc
      .constantFrom("::ffff:", "::", "64:ff9b::", "2002:")
      .map((prefix) => (prefix === "2002:" ? `[${prefix}${hex}::]` : `[${prefix}${hex}]`)),
  );
});

test("admit() refuses private addresses in every spelling", () => {
  fc.assert(
    fc.property(anySpelling, fc.constantFrom("http", "https"), (host, scheme) => {
      const policy = { ownOrigin: null, ports: [80, 443] };
      const admitting = (): unknown => admit(`${scheme}://${host}/x.png`, null, true, policy);
      expect(admitting).toThrow(expect.objectContaining({ reason: "forbidden-address" }));
    }),
  );
});
