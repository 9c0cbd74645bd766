/** What a test file opens and makes: closed and removed after it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const opened: (() => unknown)[] = [];
const made: string[] = [];

/** A folder that is removed after the test file. */
export function tempFolder(name = "test"): string {
  const folder = mkdtempSync(join(tmpdir(), `commonplace-${name}-`));
  made.push(folder);
  return folder;
}

/** Has something closed after the test file, before its folders are removed. */
export function closeAfterFile(close: () => unknown): void {
  opened.push(close);
}

/** Called by `vitest/setup.ts` after each file. */
export async function cleanUp(): Promise<void> {
  await Promise.all(opened.splice(0).map((close) => close()));
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}
