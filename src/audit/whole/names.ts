/**
 * Names that some host, system or tool cannot hold: it takes the files in the order of a walk, and reports each bad name
 * once.
 */
import type { Report } from "../finding.ts";

/** Longest name of a file or folder, in bytes: what ext4, APFS and NTFS have room for. */
const MAX_BYTES = 255;

/** What Windows keeps for itself, with any ending. */
const RESERVED = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])(?:\.|$)/i;

export class Names {
  /** The folders of the file before, and what each of them holds so far, folded. */
  #path: string[] = [];
  readonly #siblings: Set<string>[] = [new Set()];

  /** @param file with slashes; files of one folder come together */
  take(file: string, report: Report): void {
    const path = file.split("/");
    let same = 0;
    while (same < path.length - 1 && path[same] === this.#path[same]) same++;
    this.#siblings.length = same + 1;
    for (let depth = same; depth < path.length; depth++) {
      const name = path[depth] ?? "";
      const fault = faultOf(name) ?? this.#twin(depth, name);
      if (fault !== null) report("unsafe file name", fault);
      if (depth < path.length - 1) this.#siblings[depth + 1] = new Set();
    }
    this.#path = path;
  }

  /** macOS and Windows know one of two names that differ in case, macOS also of two ways to compose a letter. */
  #twin(depth: number, name: string): string | null {
    const siblings = this.#siblings[depth] ?? new Set();
    const folded = name.normalize("NFC").toLowerCase();
    if (siblings.has(folded)) return `"${name}" is there in another case or form`;
    siblings.add(folded);
    return null;
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
