/** Spellings of addresses no picture may come from, all aimed at one port where a trap listens. */
import type { Resolver } from "../../../src/images/guard.ts";

/** This machine, as the WHATWG parser reads IPv4: any base, any number of parts, any digit Unicode knows. */
const LOOPBACK_V4 = [
  ...["127.0.0.1", "127.1", "127.0.1", "127.0.0.1.", "127.127.127.127", "127.255.255.254"],
  ...["2130706433", "0x7f000001", "0x7f.0.0.1", "0x7f.1", "0X7F.0.0.1", "127.0x1", "0x7f.0.0x0.01"],
  ...["0177.0.0.1", "0177.1", "017700000001", "00000177.0.0.1", "127.000.000.001"],
  ...["１２７.０.０.１", "①②⑦.⓪.⓪.①", "𝟏𝟐𝟕.𝟎.𝟎.𝟏", "127。0。0。1", "127｡0｡0｡1", "127．0．0．1"],
  ...["%31%32%37.0.0.1", "127.0.0.%31", "127.0.0.\u00AD1", "127.\u200B0.0.1", "127.0.0\t.1"],
];

const words = (text: string): string[] => text.trim().split(/\s+/);

const OTHER_V4 = words(`
  0.0.0.0 0 0x0 0.1.2.3 10.0.0.1 10.255.255.255 167772161 012.0.0.1 172.16.0.1 172.31.255.254 0xac100001
  192.168.0.1 3232235777 0300.0250.0.1 169.254.0.1 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376
  100.64.0.1 100.127.255.254 100.100.100.200 168.63.129.16 192.0.0.1 192.0.2.1 192.88.99.1 198.18.0.1
  198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 4294967295
  100.127.255.255 172.31.255.255 192.168.255.255 192.31.196.1 192.175.48.1 192.52.193.1 192.0.0.8 239.255.255.255`);

const V6 = words(`
  ::1 0:0:0:0:0:0:0:1 0000:0000:0000:0000:0000:0000:0000:0001 :: ::2 ::127.0.0.1 ::7f00:1 ::10.0.0.1
  ::ffff:127.0.0.1 ::FFFF:127.0.0.1 ::ffff:7f00:1 0:0:0:0:0:ffff:127.0.0.1 ::ffff:10.0.0.1
  ::ffff:169.254.169.254 ::ffff:a9fe:a9fe ::ffff:0.0.0.0 ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1 64:ff9b::7f00:1
  64:ff9b::a00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 64:ff9b:1:7f00:0:100:: 2002:7f00:1:: 2002:7f00:1::1
  2002:a00:1:: 2002:a9fe:a9fe:: 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:2::1 2001:10::1 2001:20::1
  2001:db8::1 3fff::1 fc00::1 fd00::1 fd00:ec2::254 fe80::1 fe80::1%25lo febf::1 fec0::1 ff02::1 ff0e::1 100::1
  4000::1 5f00::1 1fff:ffff:: 2620:4f:8000::1 2001:1ff:ffff:: 3fff:fff::1 2002:808:808:: 64:ff9b:1::808:808`).map(
  (address) => `[${address}]`,
);

/** What the resolver of these tests says; every name here leads to the trap, some to a public address as well. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  "private.example": ["127.0.0.1"],
  "mixed.example": ["93.184.216.34", "127.0.0.1"],
  "six.example": ["::1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "nat64.example": ["64:ff9b::7f00:1"],
  "sixtofour.example": ["2002:7f00:1::1"],
  "zone.example": ["fe80::1%lo"],
  "any.example": ["0.0.0.0"],
  "nonsense.example": ["not an address"],
  "short.example": ["8.8"],
};

export const resolveToTrap: Resolver = (name) =>
  Promise.resolve(
    (NAMES[name] ?? ["127.0.0.1"]).map((address) => ({
      address,
      family: address.includes(":") ? 6 : 4,
    })),
  );

const LOCAL_NAMES = words(`
  localhost LOCALHOST localhost. a.localhost ip6-localhost localhost.localdomain metadata.google.internal
  printer.local router.lan intranet 1.0.0.127.in-addr.arpa`);

/** Ways to write an address around a host, at the trap's port. */
function shapes(port: number): string[] {
  const here = `127.0.0.1:${port}`;
  return [
    ...[`http://user@${here}/`, `http://user:word@${here}/`, `http://a.example@${here}/`],
    ...[`http://a.example:80@${here}/`, `http:\\\\${here}\\x`, `http:/${here}/`, `http:${here}`],
    ...[`  http://${here}/  `, `ht\ntp://${here}/`, `HTTP://${here}/`, `https://${here}/`],
    ...[`//${here}/`, `///${here}/`, `http://${here}#@a.example/`, `http://${here}?@a.example/`],
    ...[`http://a.example\\@${here}/`, `http:///${here}/`, `http://user:word@a.example/`],
    ...[`ftp://${here}/`, `ws://${here}/`, `gopher://${here}/`, `file://${here}/etc/passwd`],
    ...["file:///etc/passwd", "data:image/png;base64,AAAA", "javascript:0", "about:blank"],
    ...[`blob:http://${here}/x`, `view-source:http://${here}/`, `jar:http://${here}!/`, ""],
    ...["relative.png", "/absolute.png", "http://", "http://[::1", "http://a.example:6379/"],
    ...["http://a.example:22/", "https://a.example:8443/"],
  ];
}

export function forbiddenForms(port: number): string[] {
  const hosts = [...LOOPBACK_V4, ...OTHER_V4, ...V6, ...LOCAL_NAMES, ...Object.keys(NAMES)];
  return [...hosts.map((host) => `http://${host}:${port}/`), ...shapes(port)];
}
