/**
 * Measures the picture stage: thumbnails against a bare loop of sharp, a second run, memory, and Open Graph images.
 *
 * `node scripts/bench/images.ts [PICTURES]`, 1,000 by default. `REAL_IMAGES` names a folder of other pictures.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installFonts } from "../../src/images/og/install-fonts.ts";
import { measure, type Measured } from "./images/child.ts";
import { measureRuns } from "./images/measure-runs.ts";

const count = Number(process.argv[2] ?? 1_000);
const folder = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
const wallMs = (all: readonly Measured[]) => all.reduce((sum, one) => sum + one.wallMs, 0);
const figures = (all: readonly Measured[]) => {
  const peakMb = Math.max(...all.map((one) => one.peakMb ?? 0));
  return `${(wallMs(all) / 1_000).toFixed(1)} s, ${peakMb.toFixed(0)} MB`;
};

try {
  const { bytes, bare, first, second } = await measureRuns(count, folder);
  const { made, bytesFetched, bytesSaved } = second.report;
  const { cpuMs } = await measure<{ cpuMs: Record<string, number> }>("og-images", [], {
    FONTCONFIG_FILE: (await installFonts(join(folder, "fonts"))).settings,
  });
  console.table({
    pictures: `${count}, ${(bytes / 1e6).toFixed(0)} MB`,
    "bare loop of sharp": figures(bare),
    "first build": figures(first),
    "throughput, of the bare loop's": (wallMs(bare) / wallMs(first)).toFixed(2),
    "second build": `${figures([second])}, made ${made}, fetched ${bytesFetched} bytes`,
    "second build, of the first": `${((second.wallMs / wallMs(first)) * 100).toFixed(1)} %`,
    "AVIF at 1×, mean": `${Math.round((bytes - bytesSaved) / count)} bytes`,
    ...Object.fromEntries(
      Object.entries(cpuMs).map(([code, ms]) => [
        `Open Graph image, ${code}`,
        `${ms.toFixed(0)} ms of CPU`,
      ]),
    ),
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
