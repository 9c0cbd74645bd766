/** Temporary folders that go with the test file, or the program, that made them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

function removeAll(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
}

// The runner ends its processes without their `exit`; a benchmark has no runner.
if (process.env["VITEST"] === undefined) process.once("exit", removeAll);
else (await import("vitest")).afterAll(removeAll);

export function tempFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `commonplace-${name}-`));
  made.push(folder);
  return folder;
}
