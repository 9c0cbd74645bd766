/** Recognises network drives, where SQLite's locks and its write-ahead log do not hold. */
import { statfsSync } from "node:fs";
import { dirname } from "node:path";

/** `f_type` of Linux (statfs(2)), by its meaning. Docker mounts a folder of Windows or macOS by 9p or FUSE. */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x517b, "SMB"],
  [0x01021997, "9p, a folder of the host of this virtual machine"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
  [0x65735546, "FUSE, such as a folder of the host or a mounted share"],
]);

/**
 * The kind of network drive that holds a path; null for a local disk, and where the system does not say.
 *
 * @param path need not exist: its nearest parent counts
 */
export function networkDisk(
  path: string,
  typeOf: (folder: string) => number = (folder) => statfsSync(folder).type,
): string | null {
  // `\\server\share`, in either kind of slashes.
  if (process.platform === "win32" && /^[\\/]{2}[^?.]/.test(path)) return "a network share";
  if (process.platform !== "linux") return null;
  try {
    return NETWORK.get(typeOf(path) >>> 0) ?? null;
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const parent = dirname(path);
    return error.code === "ENOENT" && parent !== path ? networkDisk(parent, typeOf) : null;
  }
}
