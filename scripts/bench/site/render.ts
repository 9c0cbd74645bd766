/** `node render.ts THEME STATE OUT [I/N]`: renders the published snapshot with the bare theme or the default one. */
import { join } from "node:path";
import { renderSite } from "../../../src/release/render/render.ts";
import { openSiteWith } from "../../../src/site/open-site.ts";
import { siteConfig } from "../../../src/site.config.ts";

const [theme, stateDir = "", outDir = "", shard] = process.argv.slice(2);
const ROOT = join(import.meta.dirname, "../../..");
/** As in the floors. */
const PER_PAGE = 30;
const DAY = "2026-11-20";
const bare = theme === "bare";
const [index = 1, count = 1] = shard?.split("/").map(Number) ?? [];
const perPage = bare ? PER_PAGE : siteConfig.perPage;

const { pages, rendered, written, changes } = await renderSite({
  root: bare ? join(ROOT, "scripts/bench/theme") : ROOT,
  alsoFrom: bare ? [join(ROOT, "src")] : [],
  stateDir,
  outDir,
  environment: { SITE_URL: "https://quotes.example.org", SITE_BASE: "/" },
  places: { STATE_DIR: stateDir, SITE_DATE: DAY },
  shard: shard === undefined ? null : { index, count },
  prepare: () => openSiteWith({ stateDir, perPage, language: "en", date: DAY }).close(),
});
console.log(JSON.stringify({ pages, rendered, written, changes }));
