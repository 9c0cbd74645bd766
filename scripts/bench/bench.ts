/**
 * `npm run bench -- whole|render|rebuild|pages|harvest|images|own [--quotes N]`: measurements, each beside its floor; `search
 * --site FOLDER` measures a finished site, `mutate` the tests; `realities` harvests services that behave as ordinary servers do.
 *
 * On a busy machine only the ratios mean anything.
 */
import { parseArgs } from "node:util";
import { benchHarvest } from "./harvest.ts";
import { benchImages } from "./images.ts";
import { mutate } from "./mutate.ts";
import { benchOwnFile } from "./own/own-file.ts";
import { benchPages } from "./pages.ts";
import { benchRealities } from "./realities.ts";
import { benchRebuild } from "./rebuild.ts";
import { benchRender } from "./render.ts";
import { benchSearch } from "./search.ts";
import { benchWhole } from "./whole.ts";

/** Large enough that starting does not count, small enough for a minute. */
const QUOTES = 100_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    quotes: { type: "string" },
    site: { type: "string", default: "dist" },
    against: { type: "string" },
    known: { type: "boolean" },
    stage: { type: "string" },
    draw: { type: "string" },
  },
});
const seed = Number(process.env["SEED"] ?? 1);
const given = values.quotes === undefined ? undefined : Number(values.quotes);

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  whole: () => benchWhole(given ?? QUOTES, values.against),
  render: () => benchRender(given ?? QUOTES),
  rebuild: () => benchRebuild(given ?? QUOTES),
  // A page weighs the same in a small site.
  pages: () => benchPages(given ?? 2_000),
  harvest: () => benchHarvest(given ?? 1_000_000),
  images: () => benchImages(given ?? 1_000),
  realities: () => benchRealities(Number(values.draw ?? 20), seed),
  own: () => benchOwnFile(given ?? 50_000),
  search: () => benchSearch(values.site),
  mutate: async () => {
    const { known = false, stage, draw } = values;
    await mutate({ known, stage, draw: Number(draw ?? 6), seed, log: console.log });
  },
};

const bench = BENCHES[positionals[0] ?? ""];
if (bench === undefined || positionals.length !== 1 || !(given === undefined || given >= 1)) {
  console.error(
    `Cannot measure ${positionals.join(" ") || "nothing"}: expected ${Object.keys(BENCHES).join(", ")} [--quotes N]`,
  );
  process.exitCode = 64;
} else await bench();
