/** The state belongs on a local disk: SQLite loses its locks on a network drive. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { networkDisk } from "../../src/files/network-disk.ts";
import { tempFolder } from "../support/run/index.ts";

const isLinux = process.platform === "linux";

test.skipIf(!isLinux).each([
  [0x6969, "NFS"],
  // A 32-bit kernel gives numbers above 2^31 as negative ones.
  [0xfe534d42 | 0, "SMB"],
  [0xff534d42, "CIFS"],
  [0x01021997, "9p, a folder of the host of this virtual machine"],
  [0xef53, null],
  [0x01021994, null],
])("networkDisk knows the type %i of Linux: %s", (type, kind) => {
  expect(networkDisk("/data", () => type)).toBe(kind);
});

test.skipIf(!isLinux)("networkDisk reads the nearest folder that exists", () => {
  const folder = tempFolder("disk");
  expect(networkDisk(join(folder, "not", "there"))).toBe(networkDisk(folder));
  const asked: string[] = [];
  networkDisk("/a/b/c", (path) => {
    asked.push(path);
    throw Object.assign(new Error("ENOENT"), { code: "ENOENT" });
  });
  expect(asked).toEqual(["/a/b/c", "/a/b", "/a", "/"]);
});
