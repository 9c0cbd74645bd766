/**
 * One harvest in a process of its own, so that its memory is its own.
 *
 * Arguments: address, state folder, page size, connections. Writes what it took as JSON.
 */
import { harvest } from "../../../src/commands/harvest.ts";
import { readSettings } from "../../../src/settings/settings.ts";

const [, , address = "", state = "", pageSize = 100, connections = 2] = process.argv;
const settings = readSettings({ QUOTES_BASE_URL: address, STATE_DIR: state }, {});
const walk = {
  ...settings.walk,
  pageSize: Number(pageSize),
  concurrency: Number(connections),
};
let publishing = 0;
const began = performance.now();
const cpuBefore = process.cpuUsage();
let walkCpu = { user: 0, system: 0 };
let walkPeakMb = 0;
const result = await harvest(
  { ...settings, walk },
  (event) => {
    if (event.kind !== "phase" || event.phase !== "tags") return;
    publishing = performance.now();
    walkCpu = process.cpuUsage(cpuBefore);
    walkPeakMb = process.resourceUsage().maxRSS / 1_024;
  },
  { signal: new AbortController().signal },
);
const ended = performance.now();
process.stdout.write(
  JSON.stringify({
    ms: ended - began,
    walkMs: publishing - began,
    walkCpuMs: (walkCpu.user + walkCpu.system) / 1_000,
    walkPeakMb,
    quotes: result.quotes,
    requests: result.harvest.requests,
    label: result.harvest.label,
    peakMb: process.resourceUsage().maxRSS / 1_024,
  }),
);
