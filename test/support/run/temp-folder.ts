/** Temporary folders that are removed after the test file that made them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

export function tempFolder(name = "test"): string {
  const folder = mkdtempSync(join(tmpdir(), `commonplace-${name}-`));
  made.push(folder);
  return folder;
}

/** Called by `vitest/setup.ts` after each file. */
export function removeTempFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}
