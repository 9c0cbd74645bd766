/** However a build ends, no page claims to be current that is not, and the next build is as if nothing had happened. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isCurrent } from "../../src/render/pages.ts";
import { Ledger } from "../../src/render/ledger/ledger.ts";
import { contentOf, differences, openBench, someLines, type Line } from "./support.ts";

const LINES = someLines(500);
const NEXT: readonly Line[] = LINES.slice(3).map((line) =>
  line.id % 3 === 0 ? { ...line, text: `${line.text} Or so.` } : line,
);

const bench = openBench(LINES);
let before: Record<string, string>;
let after: Record<string, string>;

beforeAll(async () => {
  bench.write(NEXT);
  await bench.render({
    outDir: join(bench.folder, "next"),
    stateDir: join(bench.folder, "next-state"),
  });
  after = contentOf(join(bench.folder, "next"));
  bench.write(LINES);
  await bench.render();
  before = contentOf(bench.outDir);
  bench.write(NEXT);
});
afterAll(() => bench.remove());

/** Starts a build and kills it when it has written so many batches. */
async function killAfter(batches: number): Promise<void> {
  const process_ = spawn(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      join(import.meta.dirname, "render-process.ts"),
      bench.stateDir,
      bench.outDir,
      bench.data,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let seen = 0;
  process_.stdout.on("data", () => {
    if (++seen === batches) process_.kill("SIGKILL");
  });
  await once(process_, "exit");
}

test("a killed build leaves no page that claims to be current and is not", async () => {
  const told = new Set<string>();
  for (const batches of [1, 3, 2]) {
    await killAfter(batches);
    const ledger = new Ledger(bench.stateDir, bench.outDir);
    const content = contentOf(bench.outDir);
    for (const [file, entry] of ledger.entries) {
      if (entry.change > 0) told.add(file);
      if (!isCurrent(bench.outDir, file, entry.key, entry)) continue;
      // Made from the old lines or from the new: the key says which, and the bytes must agree.
      expect([before[file], after[file]]).toContain(content[file]);
    }
    ledger.close();
  }
  expect(told.size).toBeGreaterThan(0);

  await bench.render();
  expect(differences(contentOf(bench.outDir), after)).toEqual([]);
  // The list names what the killed builds wrote, too.
  const changed = differences(before, after).map(
    (file) => `/${file.replace(/(^|\/)index\.html$/, "$1")}`,
  );
  expect(
    bench
      .changes()
      .map((line) => line.split(" ")[1])
      .sort(),
  ).toEqual(changed.sort());
});

test("a build that is stopped says so, and the next one goes on", async () => {
  bench.write(LINES);
  const stop = new AbortController();
  const reason = new Error("stopped by the test");
  const build = bench.render({ signal: stop.signal, onProgress: () => stop.abort(reason) });
  await expect(build).rejects.toBe(reason);
  await bench.render();
  expect(differences(contentOf(bench.outDir), before)).toEqual([]);
});
