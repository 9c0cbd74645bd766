/** A folder for the sites that test files share, for one run of the tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-sites-"));
  process.env["TEST_SITES"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
