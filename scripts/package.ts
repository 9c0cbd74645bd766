/** `npm run package -- FOLDER` writes `astro-commonplace-<version>.tgz` there; default here. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { writePackage } from "./package/write.ts";

const [into = "."] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "commonplace-package-"));
try {
  writePackage(folder);
  mkdirSync(into, { recursive: true });
  const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", resolve(into)];
  execFileSync("npm", args, { cwd: folder, stdio: "inherit" });
} finally {
  rmSync(folder, { recursive: true });
}
