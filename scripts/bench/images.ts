/**
 * Measures the picture stage: thumbnails against a bare loop of sharp, a second night, memory, and cards.
 *
 * `node scripts/bench/images.ts [PICTURES]`, 1,000 by default. Needs `../shared/data/images`.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fontsConf } from "../../src/thumbnails/cards/type/fontconfig.ts";
import type { PictureReport } from "../../src/thumbnails/report.ts";
import { measure, start } from "./images/child.ts";
import { writePictures } from "./images/pictures.ts";

interface Timed {
  readonly wallMs: number;
}

const count = Number(process.argv[2] ?? 1_000);
const folder = mkdtempSync(join(tmpdir(), "commonplace-bench-"));
const seconds = ({ wallMs }: Timed) => `${(wallMs / 1_000).toFixed(1)} s`;
const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(1)} %`;

try {
  const pictures = join(folder, "pictures");
  const bytes = await writePictures(pictures, count);
  const host = start("host", [pictures]);
  const [port] = (await once(host, "message")) as [number];
  const origin = `http://127.0.0.1:${port}`;
  const stage = () =>
    measure<Timed & { report: PictureReport }>("stage", [origin, String(count), folder]);
  const bare = await measure<Timed>("bare", [pictures]);
  const first = await stage();
  const second = await stage();
  host.disconnect();
  const config = join(folder, "fonts.conf");
  writeFileSync(config, fontsConf(join(folder, "fontconfig")));
  const { cpuMs } = await measure<{ cpuMs: Record<string, number> }>("cards", [], {
    FONTCONFIG_FILE: config,
  });
  console.table({
    pictures: `${count}, ${(bytes / 1e6).toFixed(0)} MB`,
    "bare loop of sharp": `${seconds(bare)}, ${bare.peakMb?.toFixed(0)} MB`,
    "first build": `${seconds(first)}, ${first.peakMb?.toFixed(0)} MB, made ${first.report.made}`,
    "throughput, of the bare loop's": (bare.wallMs / first.wallMs).toFixed(2),
    "second build": `${seconds(second)}, made ${second.report.made}, fetched ${second.report.bytesFetched} bytes`,
    "second build, of the first": percent(second.wallMs, first.wallMs),
    "AVIF at 1×, mean": `${Math.round((bytes - first.report.bytesSaved) / count)} bytes`,
    ...Object.fromEntries(
      Object.entries(cpuMs).map(([code, ms]) => [`card, ${code}`, `${ms.toFixed(0)} ms of CPU`]),
    ),
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
