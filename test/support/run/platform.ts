/** What the machine of a test run can do, and what its system needs of an environment. */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Whether a test may make symbolic links: on Windows that takes developer mode, or an administrator. */
export const CAN_LINK = canLink();

function canLink(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-link-"));
  try {
    symlinkSync(folder, join(folder, "link"));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EPERM") return false;
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Variables without which no program of the system runs; empty where there are none. */
export const SYSTEM_VARIABLES: NodeJS.ProcessEnv = Object.fromEntries(
  process.platform === "win32"
    ? ["SystemRoot", "PATHEXT", "USERPROFILE", "LOCALAPPDATA", "TEMP", "TMP"].map((name) => [
        name,
        process.env[name],
      ])
    : [],
);
