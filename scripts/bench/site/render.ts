/** `node render.ts THEME STATE OUT [I/N]`: renders the published snapshot with the bare theme or the default one. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { renderFromSnapshot, runAstro } from "../../../src/commands/render-site.ts";
import { PACKAGE_ROOT } from "../../../src/files/roots.ts";
import { startPreparing } from "../../../src/render/prepare.ts";
import { readSettings } from "../../../src/settings/settings.ts";

const [theme, stateDir = "", outDir = "", shard] = process.argv.slice(2);
const given = {
  STATE_DIR: stateDir,
  SITE_DATE: "2026-11-20",
  SITE_URL: "https://quotes.example.org",
};
const how = { signal: new AbortController().signal, showProgress: () => undefined };

Object.assign(process.env, given, shard === undefined ? {} : { SITE_SHARD: shard });
const bare = join(PACKAGE_ROOT, "scripts/bench/theme");
if (theme === "bare") startPreparing(pathToFileURL(join(bare, "src/site/prepare.ts")));
const report =
  theme === "bare"
    ? await runAstro(bare, outDir, how)
    : await renderFromSnapshot(readSettings({ out: outDir }, { ...given, SITE_SHARD: shard }), how);
console.log(JSON.stringify(report));
