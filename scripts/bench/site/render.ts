/** `node render.ts THEME STATE OUT [I/N]`: renders the published snapshot with the bare theme or the default one. */
import { join } from "node:path";
import { renderSite } from "../../../src/render/render.ts";
import { readSettings, renderEnvironment } from "../../../src/settings/settings.ts";
import { openSiteAs, openSiteWith } from "../../../src/site/index.ts";
import { siteConfig } from "../../../src/site.config.ts";

const [theme, stateDir = "", outDir = "", shard] = process.argv.slice(2);
const ROOT = join(import.meta.dirname, "../../..");
const DAY = "2026-11-20";
/** As in the floors. */
const BARE = { stateDir, perPage: 30, language: "en", date: DAY };
const bare = theme === "bare";
const [index = 1, count = 1] = shard?.split("/").map(Number) ?? [];
const given = { STATE_DIR: stateDir, SITE_DATE: DAY, SITE_URL: "https://quotes.example.org" };
const settings = readSettings({}, given, siteConfig);
const { STATE_DIR = stateDir, ...environment } = renderEnvironment(settings);

const { pages, rendered, restored, written, changes, slow } = await renderSite({
  root: bare ? join(ROOT, "scripts/bench/theme") : ROOT,
  alsoFrom: bare ? [join(ROOT, "src")] : [],
  stateDir,
  outDir,
  environment,
  places: { STATE_DIR, SITE_DATE: DAY },
  shard: shard === undefined ? null : { index, count },
  prepare: () => (bare ? openSiteWith(BARE) : openSiteAs(settings)).close(),
});
console.log(JSON.stringify({ pages, rendered, restored, written, changes, slow }));
