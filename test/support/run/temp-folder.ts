/** What a test file opens and makes: closed and removed after it. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

const opened: (() => unknown)[] = [];
const made: string[] = [];

/** A folder that is removed after the test file. */
export function tempFolder(name = "test"): string {
  const folder = mkdtempSync(join(tmpdir(), `commonplace-${name}-`));
  made.push(folder);
  return folder;
}

/** Writes files, by path, into a folder; default a new one. */
export function folderWith(
  files: Readonly<Record<string, string>>,
  folder = tempFolder("files"),
): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** Empty files for `folderWith()`. */
export const emptyFiles = (...paths: readonly string[]): Record<string, string> =>
  Object.fromEntries(paths.map((path) => [path, ""]));

/** Every file below a folder, by its path in it, in order. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Has something closed after the test file, before its folders are removed. */
export function closeAfterFile(close: () => unknown): void {
  opened.push(close);
}

/** Called by `vitest/setup.ts` after each file. */
export async function cleanUp(): Promise<void> {
  await Promise.all(opened.splice(0).map((close) => close()));
  // A test that was stopped may still write into its folder.
  const patient = { maxRetries: 10, retryDelay: 100 };
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, ...patient });
}
