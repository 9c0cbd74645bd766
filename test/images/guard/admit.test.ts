import { expect, test } from "vitest";
import { PictureFailed } from "../../../src/images/failures.ts";
import { admit, forbiddenKind } from "../../../src/images/guard.ts";

/** Reason and detail of the `PictureFailed` that a call throws. */
function refusalOf(call: () => unknown): [string, string] {
  try {
    call();
  } catch (error) {
    if (error instanceof PictureFailed) return [error.reason, error.message];
    throw error;
  }
  return ["", "it is admitted"];
}

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
  expect(refusalOf(() => admit(address, null, true, policy))).toEqual([
    "forbidden-address",
    detail,
  ]);
});

test("admit() reads a redirect against the address that sent it, and drops its fragment", () => {
  const base = new URL("https://pictures.example/a/b.jpg");
  const { url } = admit("../c.jpg#x", base, false, policy);
  expect(url.href).toBe("https://pictures.example/c.jpg");
});
