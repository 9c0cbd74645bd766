/** Reports names of files and folders that some host, file system or tool cannot store, and files made for credentials. */
import { posix } from "node:path";

/** Longest name of a file or folder, in bytes, on ext4, APFS and NTFS. */
const MAX_BYTES = 255;

/** Names that Windows reserves, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$)/i;

/** Files in which programs keep credentials. */
const PRIVATE = /(?:^|\/)(?:\.env(?:\.[^/]*)?|\.(?:npmrc|netrc|pypirc)|id_(?:rsa|ecdsa|ed25519))$/i;

/** Whether a file is made for credentials: a copy of it in `site/public` would be public. */
export const isPrivate = (file: string): boolean => PRIVATE.test(file);

/**
 * @param files paths with slashes; files of one folder come together
 * @param report receives each bad name once, with the first file that has it
 */
export function auditNames(
  files: Iterable<string>,
  report: (file: string, fault: string) => void,
): void {
  /** macOS and Windows ignore case, and macOS how a letter is composed: the last path of each such form. */
  const known = new Map<string, string>();
  for (const file of files) {
    let path = file;
    while (path !== ".") {
      const [folder, name] = [posix.dirname(path), posix.basename(path)];
      const form = `${folder}/${name.normalize("NFC").toLowerCase()}`;
      const before = known.get(form);
      if (before === path) break;
      known.set(form, path);
      const twin = before === undefined ? null : `"${name}" is there in another case or form`;
      const fault = faultOf(name) ?? twin;
      if (fault !== null) report(file, fault);
      path = folder;
    }
  }
}

function faultOf(name: string): string | null {
  if (/[\u0000-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/.test(name)) {
    return `"${name}" holds a control character`;
  }
  if (/["*:<>?\\|]/.test(name)) return `"${name}" holds a sign that Windows does not allow`;
  if (/[. ]$/.test(name)) return `"${name}" ends in a dot or a blank`;
  if (RESERVED.test(name)) return `"${name}" is reserved by Windows`;
  if (name.includes("\uFFFD") || !name.isWellFormed()) return `"${name}" is not UTF-8`;
  const bytes = Buffer.byteLength(name);
  return bytes > MAX_BYTES ? `"${name.slice(0, 40)}…" is ${bytes} bytes long` : null;
}
