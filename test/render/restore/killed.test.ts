/** However the writing of a lost folder ends, no page is believed that is not whole. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isCurrent } from "../../../src/render/pages.ts";
import { Ledger } from "../../../src/render/ledger/ledger.ts";
import { contentOf, datesOf, differences, openBench, someLines } from "../support.ts";

const bench = openBench(someLines(2_000));
const folder = join(bench.outDir, "quote");
let content: Record<string, string>;

beforeAll(async () => {
  await bench.render();
  content = contentOf(bench.outDir);
});
afterAll(() => bench.remove());

/** Starts a build and kills it when so many quotes' folders are there. */
async function killAt(count: number): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const build = spawn(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      join(import.meta.dirname, "../render-process.ts"),
      ...[bench.stateDir, bench.outDir, bench.data],
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  let over = false;
  const exit = once(build, "exit").then(() => (over = true));
  while (!over && readdirSync(folder).length < count) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  build.kill("SIGKILL");
  await exit;
  return readdirSync(folder).length;
}

test("a build killed while it restores leaves no page that claims to be current and is not", async () => {
  const seen: number[] = [];
  let whole: string[] = [];
  for (const count of [1, 300, 900, 1_500]) {
    rmSync(bench.outDir, { recursive: true });
    seen.push(await killAt(count));
    const ledger = new Ledger(bench.stateDir, bench.outDir);
    const found = contentOf(bench.outDir);
    whole = [...ledger.entries]
      .filter(([file, entry]) => isCurrent(bench.outDir, file, entry.key, entry))
      .map(([file]) => file);
    for (const file of whole) expect(found[file]).toBe(content[file]);
    ledger.close();
  }
  expect(seen.some((count) => count > 0 && count < 2_000)).toBe(true);

  // The next build makes the rest, and touches nothing of what is whole.
  const dates = datesOf(bench.outDir);
  const report = await bench.render();
  expect(differences(contentOf(bench.outDir), content)).toEqual([]);
  expect(report.changes).toEqual({ added: 0, changed: 0, removed: 0 });
  expect(report.rendered).toBeLessThan(20);
  const after = datesOf(bench.outDir);
  expect(whole.filter((file) => after[file] !== dates[file])).toEqual([]);
});

test("a build that is stopped while it restores says so", async () => {
  rmSync(bench.outDir, { recursive: true });
  const stop = new AbortController();
  const reason = new Error("stopped by the test");
  const build = bench.render({ signal: stop.signal, prepare: () => stop.abort(reason) });
  await expect(build).rejects.toBe(reason);
  await bench.render();
  expect(differences(contentOf(bench.outDir), content)).toEqual([]);
});
