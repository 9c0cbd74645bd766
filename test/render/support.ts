/** Copies of a small site, with a state and an output folder of their own, built in processes of their own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import type { RenderReport } from "../../src/render/render-channel.ts";
import {
  filesIn,
  keepOnOneCore,
  runWarm,
  tempFolder,
  type Finished,
} from "../support/run/index.ts";
import type { Line } from "./site/src/data.ts";

export type { Line };

const REPOSITORY = join(import.meta.dirname, "../..");

export const BULK = ["/tag/[slug]/[...page]", "/quote/[id]"];

/** A collection of Markdown notes in a fork, and the page that shows each. */
export const CONTENT_CONFIG = `
import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
export const collections = { notes: defineCollection({ loader: glob({ pattern: "*.md", base: "./notes" }) }) };
`;

export const NOTE = `---
import { getCollection, render } from "astro:content";
export const getStaticPaths = async () =>
  (await getCollection("notes")).map((note) => ({ params: { id: note.id }, props: { note } }));
const { Content } = await render(Astro.props.note);
---
<Content />
`;

/** The same lines for the same number; tags in the scripts of several languages. */
export function someLines(count: number): Line[] {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    text: `Line ${index + 1} says “<b> & \u05D0\u{1F600}”, and no more.`,
    by: index % 4 === 0 ? null : `Author ${index % 5}`,
    tags: ["all", ...(index % 2 === 0 ? ["even"] : []), ...(index % 3 === 0 ? ["любовь"] : [])],
  }));
}

interface Built {
  readonly status: number | null;
  readonly stderr: string;
  /** From the signal that was asked for to the end, and from the start to the signal, in milliseconds. */
  readonly endedAfterMs: number;
  readonly signalledAfterMs: number;
  readonly report: RenderReport | undefined;
}

export interface BuildHow {
  readonly outDir?: string;
  readonly stateDir?: string;
  readonly bulk?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly plain?: boolean;
  /** Sent when so many lines of progress were written. */
  readonly kill?: { readonly signal: NodeJS.Signals; readonly after: number };
}

export class Fork {
  readonly folder = tempFolder("fork");
  readonly root = join(this.folder, "site");
  readonly stateDir = join(this.folder, "state");
  readonly outDir = join(this.root, "dist");

  constructor(lines: readonly Line[]) {
    cpSync(join(import.meta.dirname, "site"), this.root, { recursive: true });
    symlinkSync(join(REPOSITORY, "node_modules"), join(this.folder, "node_modules"), "junction");
    this.setLines(lines);
  }

  setLines(lines: readonly Line[]): void {
    writeFileSync(join(this.folder, "data.json"), JSON.stringify(lines));
  }

  write(file: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.root, file)), { recursive: true });
    writeFileSync(join(this.root, file), content);
  }

  edit(file: string, from: string, to: string): void {
    const before = readFileSync(join(this.root, file), "utf8");
    if (!before.includes(from)) throw new Error(`Cannot edit ${file}: it has no ${from}`);
    writeFileSync(join(this.root, file), before.replace(from, to));
  }

  async build(how: BuildHow = {}): Promise<Built> {
    const { outDir = this.outDir, stateDir = this.stateDir, bulk = BULK, env, plain, kill } = how;
    const order = {
      file: join(import.meta.dirname, "build-process.ts"),
      args: [this.root, outDir],
      cwd: this.root,
      env: {
        PATH: process.env["PATH"],
        NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        ...{ REPOSITORY, BULK: JSON.stringify(bulk), STATE_DIR: stateDir, ...env },
        ...{ DATA: join(this.folder, "data.json"), ASTRO_TELEMETRY_DISABLED: "1" },
      },
    };
    if (plain !== true && kill === undefined) return builtOf(await runWarm(order));
    const { file, args, ...options } = order;
    const command =
      plain === true
        ? [join(REPOSITORY, "node_modules/astro/bin/astro.mjs"), "build", "--outDir", outDir]
        : [file, ...args];
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...command], {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
    });
    keepOnOneCore(child);
    const began = performance.now();
    let seen = 0;
    let killed = Infinity;
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      seen += chunk.split("\n").length - 1;
      if (kill === undefined || seen < kill.after || killed !== Infinity) return;
      killed = performance.now();
      child.kill(kill.signal);
    });
    const [[status], stderr] = await Promise.all([
      once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>,
      text(child.stderr),
    ]);
    const built = builtOf({ status, stderr, stdout: output });
    return { ...built, endedAfterMs: performance.now() - killed, signalledAfterMs: killed - began };
  }

  changes(): string[] {
    return readFileSync(join(this.stateDir, "build-changes.ndjson"), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const { change, path } = JSON.parse(line) as { change: string; path: string };
        return `${change} ${path}`;
      });
  }
}

function builtOf({ status, stderr, stdout }: Omit<Finished, "signal">): Built {
  const last = stdout.trim().split("\n").at(-1) ?? "";
  const report = last.startsWith("{") ? (JSON.parse(last) as RenderReport) : undefined;
  return { status, stderr, report, endedAfterMs: Infinity, signalledAfterMs: Infinity };
}

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

/** Where a file is found on the site. */
export const addressOf = (file: string): string => `/${file.replace(/(^|\/)index\.html$/, "$1")}`;
