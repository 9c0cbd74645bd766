/**
 * Prints the SHA-256 and the path of each file of a site, ordered by path, so that sites of several platforms can be compared:
 * `node scripts/site-digests.mjs dist`. `build.json` tells when a site was made, and is left out.
 */
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder = "dist"] = process.argv.slice(2);
const files = globSync("**/*", { cwd: folder, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(join(folder).length + 1))
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path !== "build.json")
  .sort();
for (const path of files) {
  const digest = createHash("sha256").update(readFileSync(join(folder, path)));
  process.stdout.write(`${digest.digest("hex")}  ${path}\n`);
}
