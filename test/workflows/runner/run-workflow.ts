/** Runs the jobs of a workflow one after another, each on a machine of its own, by the steps of the file. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ACTIONS, type Keep } from "./actions.ts";
import { evaluate, substitute, type Context } from "./expressions.ts";
import { startMachine, type Machine } from "./machine.ts";
import type { Job, Step, Workflow } from "./workflow.ts";

type Texts = Readonly<Record<string, string>>;

export interface RunResult {
  /** What the shells wrote, by job. */
  readonly logs: Readonly<Record<string, string>>;
  /** The summaries of all steps. */
  readonly summary: string;
}

/** @param given `github`, `inputs`, `vars` and `secrets`; a failing step throws */
export function runWorkflow(workflow: Workflow, given: Context, keep: Keep): RunResult {
  const summary = join(keep.folder, "summary.md");
  mkdirSync(keep.folder, { recursive: true });
  writeFileSync(summary, "");
  const needs: Record<string, unknown> = {};
  const logs: Record<string, string> = {};
  for (const [name, job] of Object.entries(workflow.jobs)) {
    if (job.needs.some((need) => !(need in needs)))
      throw new Error(`${name} stands before its needs`);
    for (const shard of shardsOf(job, { ...given, needs })) {
      const context = { ...given, needs, matrix: { shard } };
      const run = runJob(name, workflow.env ?? {}, job, context, keep, summary);
      logs[name] = (logs[name] ?? "") + run.log;
      needs[name] = { outputs: run.outputs };
    }
  }
  return { logs, summary: readFileSync(summary, "utf8") };
}

function shardsOf(job: Job, context: Context): unknown[] {
  const matrix = job.strategy?.matrix.shard;
  if (matrix === undefined) return [null];
  return JSON.parse(substitute(matrix, context)) as unknown[];
}

function runJob(
  name: string,
  env: Texts,
  job: Job,
  given: Context,
  keep: Keep,
  summary: string,
): { log: string; outputs: Texts } {
  const machine = startMachine(name);
  const steps: Record<string, unknown> = {};
  const context = { ...given, steps };
  let log = "";
  try {
    if (job.if !== undefined && !isTrue(job.if, context)) return { log, outputs: {} };
    for (const step of job.steps) {
      if (step.if !== undefined && !isTrue(step.if, context)) continue;
      const values = { ...env, ...job.env, ...step.env };
      const done = runStep(machine, step, filled(values, context), context, keep, summary);
      log += done.log;
      if (step.id !== undefined) steps[step.id] = { outcome: "success", outputs: done.outputs };
    }
    return { log, outputs: filled(job.outputs ?? {}, context) };
  } finally {
    machine.remove();
  }
}

function runStep(
  machine: Machine,
  { uses, run, with: inputs = {} }: Step,
  env: Texts,
  context: Context,
  keep: Keep,
  summary: string,
): { log: string; outputs: Texts } {
  if (run === undefined) {
    const action = ACTIONS[(uses ?? "").split("@")[0] ?? ""];
    if (action === undefined) throw new Error(`Cannot run ${uses}: not known here`);
    return { log: "", outputs: action(machine, filled(inputs, context), keep) ?? {} };
  }
  const output = join(machine.folder, ".output");
  const own = join(machine.folder, ".summary");
  writeFileSync(output, "");
  writeFileSync(own, "");
  const files = { GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: own, GITHUB_ACTIONS: "true" };
  const log = machine.run(run, { ...env, ...files });
  appendFileSync(summary, readFileSync(own, "utf8"));
  const lines = readFileSync(output, "utf8").split("\n").filter(Boolean);
  return {
    log,
    outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2))),
  };
}

function filled(values: Texts, context: Context): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, substitute(value, context)]),
  );
}

function isTrue(condition: string, context: Context): boolean {
  return Boolean(evaluate(condition.replace(/^\$\{\{|\}\}$/g, ""), context));
}
