/**
 * `npm run bench -- whole|render|rebuild|pages|harvest|images [--quotes N]`: measurements, each against its floor in one run.
 *
 * On a busy machine only the ratios mean anything. Files are made in memory where the system has a place for them.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { benchPages } from "./pages.ts";
import { benchRebuild } from "./rebuild.ts";
import { benchRender } from "./render.ts";
import { benchWhole } from "./whole.ts";

/** Large enough that starting does not count, small enough for a minute. */
const QUOTES = 100_000;
/** A page weighs the same in a small site. */
const QUOTES_TO_WEIGH = 2_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { quotes: { type: "string" }, against: { type: "string" } },
});
const given = values.quotes === undefined ? undefined : Number(values.quotes);

/** Measurements that are programs of their own. */
async function program(name: string): Promise<void> {
  const args = given === undefined ? [] : [String(given)];
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, name), ...args],
    {
      stdio: "inherit",
      env: { ...process.env, ...(given === undefined ? {} : { BENCH_QUOTES: String(given) }) },
    },
  );
  const [status] = (await once(child, "exit")) as [number];
  process.exitCode = status;
}

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  whole: () => benchWhole(given ?? QUOTES, values.against),
  render: () => benchRender(given ?? QUOTES),
  rebuild: () => benchRebuild(given ?? QUOTES),
  pages: () => benchPages(given ?? QUOTES_TO_WEIGH),
  harvest: () => program("harvest.ts"),
  images: () => program("images.ts"),
};

const bench = BENCHES[positionals[0] ?? ""];
if (bench === undefined || positionals.length !== 1 || !(given === undefined || given >= 1)) {
  console.error(
    `Cannot measure ${positionals.join(" ") || "nothing"}: expected ${Object.keys(BENCHES).join(", ")} [--quotes N]`,
  );
  process.exitCode = 64;
} else await bench();
