/**
 * `npm run changelog -- VERSION [DATE]`: puts the files of `changelog/unreleased` into CHANGELOG.md, under the version, and
 * deletes them. DATE is that of the release; default: today, in UTC.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { fragmentsOf, withFragments } from "./changelog/fragments.ts";

const [version = "", date = new Date().toISOString().slice(0, 10)] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  process.stderr.write(
    "Cannot write the changelog: expected a version, such as npm run changelog -- 1.0.0\n",
  );
  process.exit(64);
}
const root = join(import.meta.dirname, "..");
const path = join(root, "CHANGELOG.md");
const fragments = fragmentsOf(root);
const release = { version, date };
const text = withFragments(readFileSync(path, "utf8"), [...fragments.values()].flat(), release);
writeFileSync(path, await format(text, { parser: "markdown", printWidth: 100 }));
for (const name of fragments.keys()) rmSync(join(root, name));
