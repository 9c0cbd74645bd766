/** A site of a few lines that the engine renders, with a state and an output folder of its own. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { tempFolder } from "../support/temp-folder.ts";
import type { Line } from "./site/src/data.ts";
import type { RenderOptions } from "../../src/render/options.ts";
import { renderSite, type RenderReport } from "../../src/render/render.ts";

export const ROOT = join(import.meta.dirname, "site");

export type { Line };

/** The same lines for the same number; tags in the scripts of several languages. */
export function someLines(count: number): Line[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    text: `Line ${index + 1} says “<b> & \u05D0\u{1F600}”, and no more.`,
    by: index % 4 === 0 ? null : `Author ${index % 5}`,
    tags: ["all", ...(index % 2 === 0 ? ["even"] : []), ...(index % 3 === 0 ? ["любовь"] : [])],
  }));
}

export interface Bench {
  readonly folder: string;
  readonly stateDir: string;
  readonly outDir: string;
  readonly data: string;
  render(options?: Partial<RenderOptions>): Promise<RenderReport>;
  write(lines: readonly Line[]): void;
  changes(): string[];
  remove(): void;
}

/** The bundle of the first site of this test file: it is the same for all, and takes the most time. */
let keptBundle: string | undefined;

function reuseBundle(stateDir: string): void {
  if (keptBundle === undefined) return;
  cpSync(keptBundle, join(stateDir, "bundle"), { recursive: true, verbatimSymlinks: true });
}

function keepBundle(stateDir: string): void {
  const made = join(stateDir, "bundle");
  if (keptBundle !== undefined || !existsSync(made)) return;
  keptBundle = tempFolder("bundle");
  cpSync(made, keptBundle, { recursive: true, verbatimSymlinks: true });
}

export function openBench(lines: readonly Line[]): Bench {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-render-"));
  const data = join(folder, "data.json");
  const stateDir = join(folder, "state");
  const outDir = join(folder, "dist");
  mkdirSync(stateDir);
  reuseBundle(stateDir);
  const bench: Bench = {
    folder,
    stateDir,
    outDir,
    data,
    render: async (options = {}) => {
      const report = await renderSite({
        root: ROOT,
        stateDir,
        outDir,
        environment: {},
        places: { DATA: data },
        prepare: () => undefined,
        threads: 2,
        ...options,
      });
      keepBundle(stateDir);
      return report;
    },
    write: (next) => writeFileSync(data, JSON.stringify(next)),
    changes: () =>
      readFileSync(join(stateDir, "build-changes.ndjson"), "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => {
          const { change, path } = JSON.parse(line) as { change: string; path: string };
          return `${change} ${path}`;
        }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  bench.write(lines);
  return bench;
}

/** Every file of a folder with its content. */
export function contentOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    filesIn(folder).map((file) => [file, readFileSync(join(folder, file), "latin1")]),
  );
}

/** Names of files that are not the same in both; the whole content would drown the message. */
export function differences(a: Record<string, string>, b: Record<string, string>): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((file) => a[file] !== b[file]);
}

/** Every file of a folder with when it was written, to the nanosecond. */
export function datesOf(folder: string): Record<string, bigint> {
  return Object.fromEntries(
    filesIn(folder).map((file) => [file, statSync(join(folder, file), { bigint: true }).mtimeNs]),
  );
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
