/** What the engine writes is what Astro's own build writes, byte for byte. */
import { execFile } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { contentOf, differences, openBench, ROOT, someLines } from "./support.ts";

const run = promisify(execFile);
const ASTRO = join(ROOT, "../../../node_modules/astro/bin/astro.mjs");

const bench = openBench(someLines(20));
afterAll(() => bench.remove());

async function astroBuild(outDir: string): Promise<void> {
  // A copy, since Astro writes into the folder of the sources; its bundle imports packages by name.
  const root = join(bench.folder, "site");
  cpSync(ROOT, root, { recursive: true });
  symlinkSync(join(ASTRO, "../../.."), join(bench.folder, "node_modules"));
  const env = { ...process.env, DATA: bench.data, ASTRO_TELEMETRY_DISABLED: "1", NODE_ENV: "" };
  const cwd = bench.folder;
  await run(process.execPath, [ASTRO, "build", "--root", root, "--outDir", outDir], { env, cwd });
}

test("renderSite() writes the files that `astro build` writes, of kept fragments as of new ones", async () => {
  const plain = join(bench.folder, "plain");
  await astroBuild(plain);
  const expected = contentOf(plain);

  const first = await bench.render({ verifyAll: true });
  expect(differences(contentOf(bench.outDir), expected)).toEqual([]);
  expect(first.slow).toEqual({ "src/pages/letter/[letter].astro": "it uses Astro.request" });

  // Now every card comes out of the store.
  const again = join(bench.folder, "again");
  const second = await bench.render({ outDir: again, verifyAll: true });
  expect(second.written).toBe(first.written);
  expect(differences(contentOf(again), expected)).toEqual([]);
});

test("renderSite() writes the same in any time zone and language", async () => {
  const outDir = join(bench.folder, "elsewhere");
  const stateDir = join(bench.folder, "state-elsewhere");
  await bench.render({
    outDir,
    stateDir,
    places: {
      DATA: bench.data,
      TZ: "Pacific/Kiritimati",
      LANG: "ar_EG.UTF-8",
      LC_ALL: "ar_EG.UTF-8",
    },
  });
  expect(differences(contentOf(outDir), contentOf(bench.outDir))).toEqual([]);
});
