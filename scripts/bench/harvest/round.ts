/**
 * One round of the comparison: the bare client, the harvest, the bare client again, each in a process of its own.
 *
 * The harvest is held against the mean of its two neighbours, so that a machine that grows slower favours neither.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";

interface Bare {
  readonly ms: number;
  readonly cpuMs: number;
}

interface Harvest {
  readonly ms: number;
  readonly walkMs: number;
  readonly walkCpuMs: number;
  readonly peakMb: number;
  readonly requests: number;
  readonly label: string;
}

export interface Round {
  /** The bare client's milliseconds with one connection: the mean of before and after. */
  readonly bareMs: number;
  /** The same with as many connections as the harvest has. */
  readonly crowd: Bare;
  readonly ours: Harvest;
  /** The harvest's rate of reading in that of the bare client with one connection. */
  readonly rate: number;
}

export interface Course {
  readonly address: string;
  readonly quotes: number;
  readonly page: string;
  readonly connections: string;
}

/** A program of this folder. The service and both clients have the same flags: those of the npm scripts, less what only starts them sooner. */
export function program(script: string, args: readonly string[]) {
  const path = join(import.meta.dirname, script);
  const flags = ["--disable-warning=ExperimentalWarning", path, ...args];
  return spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
}

/** @param state folder of the harvest's state; nothing may be in it */
export async function measureRound(course: Course, state: string): Promise<Round> {
  const { address, quotes, page, connections } = course;
  const bare = (many: string): Promise<Bare> =>
    measured("bare.ts", [address, String(quotes), page, many]);
  const before = await bare("1");
  const ours = await measured<Harvest>("harvester.ts", [address, state, page, connections]);
  const after = await bare("1");
  const bareMs = (before.ms + after.ms) / 2;
  return { bareMs, ours, crowd: await bare(connections), rate: bareMs / ours.walkMs };
}

async function measured<T>(script: string, args: readonly string[]): Promise<T> {
  return JSON.parse(await text(program(script, args).stdout)) as T;
}

export function describe({ bareMs, crowd, ours, rate }: Round): string {
  const s = (ms: number): string => `${(ms / 1e3).toFixed(1)} s`;
  return [
    `bare client ${s(bareMs)}`,
    `with as many connections ${s(crowd.ms)}`,
    `walk ${s(ours.walkMs)} (${s(ours.walkCpuMs)} of CPU), ${rate.toFixed(2)} of the bare client's rate`,
    `with publishing ${s(ours.ms)}`,
    `peak ${ours.peakMb.toFixed(0)} MB`,
    `${ours.requests} requests, ${ours.label}`,
  ].join("; ");
}
