/**
 * Runs the jobs of a workflow one after another, each on a machine of its own, by the steps of the file.
 *
 * As on GitHub, a step that fails ends its job but for the steps that run `always()`, and the jobs that need it.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ACTIONS, type Keep } from "./actions.ts";
import { evaluate, substitute, type Context } from "./expressions.ts";
import { startMachine, type Machine } from "./machine.ts";
import type { Job, Step, Workflow } from "./workflow.ts";

type Texts = Readonly<Record<string, string>>;

export interface RunResult {
  /** What the shells wrote, by job; a job that was skipped is not there. */
  readonly logs: Readonly<Record<string, string>>;
  /** Jobs with a step that failed. */
  readonly failed: readonly string[];
  /** The summaries of all steps. */
  readonly summary: string;
}

/** @param given `github`, `inputs`, `vars` and `secrets` */
export function runWorkflow(workflow: Workflow, given: Context, keep: Keep): RunResult {
  const summary = join(keep.folder, "summary.md");
  mkdirSync(keep.folder, { recursive: true });
  rmSync(join(keep.folder, "artifacts"), { recursive: true, force: true });
  writeFileSync(summary, "");
  const needs: Record<string, unknown> = {};
  const logs: Record<string, string> = {};
  const failed: string[] = [];
  for (const [name, job] of Object.entries(workflow.jobs)) {
    if (job.needs.some((need) => !(need in needs))) continue;
    const shards = shardsOf(job, { ...given, needs });
    const runs = shards.map((shard) =>
      runJob(
        name,
        { ...job, env: { ...workflow.env, ...job.env } },
        { ...given, needs, matrix: { shard } },
        { keep, summary },
      ),
    );
    logs[name] = runs.map(({ log }) => log).join("");
    if (runs.every(({ ok }) => ok)) needs[name] = { outputs: runs[0]?.outputs };
    else failed.push(name);
  }
  return { logs, failed, summary: readFileSync(summary, "utf8") };
}

function shardsOf(job: Job, context: Context): unknown[] {
  const matrix = job.strategy?.matrix.shard;
  if (matrix === undefined) return [null];
  return JSON.parse(substitute(matrix, context)) as unknown[];
}

interface Place {
  readonly keep: Keep;
  readonly summary: string;
}

interface Done {
  readonly ok: boolean;
  readonly log: string;
  readonly outputs: Texts;
}

function runJob(name: string, job: Job, given: Context, place: Place): Done {
  const steps: Record<string, unknown> = {};
  const context = { ...given, steps };
  if (job.if !== undefined && !isTrue(job.if, context)) return { ok: true, log: "", outputs: {} };
  const machine = startMachine(name);
  let log = "";
  let ok = true;
  try {
    for (const step of job.steps) {
      const goesOn = ok || (step.if?.includes("always()") ?? false);
      if (!goesOn || (step.if !== undefined && !isTrue(step.if, context))) {
        if (step.id !== undefined) steps[step.id] = { outcome: "skipped" };
        continue;
      }
      const env = filled({ ...job.env, ...step.env }, context);
      const done = runStep(machine, step, env, context, place);
      log += done.log;
      ok &&= done.ok;
      const outcome = done.ok ? "success" : "failure";
      if (step.id !== undefined) steps[step.id] = { outcome, outputs: done.outputs };
    }
    return { ok, log, outputs: filled(job.outputs ?? {}, context) };
  } finally {
    machine.remove();
  }
}

function runStep(
  machine: Machine,
  { uses, run, with: inputs = {} }: Step,
  env: Texts,
  context: Context,
  { keep, summary }: Place,
): Done {
  if (run === undefined) {
    const action = ACTIONS[(uses ?? "").split("@")[0] ?? ""];
    if (action === undefined) throw new Error(`Cannot run ${uses}: not known here`);
    const outputs = action(machine, filled(inputs, context), keep) ?? {};
    return { ok: true, log: "", outputs };
  }
  const output = join(machine.folder, ".output");
  const own = join(machine.folder, ".summary");
  writeFileSync(output, "");
  // What a step writes there holds for all steps after it.
  const [paths, variables] = [join(machine.folder, ".path"), join(machine.folder, ".env-file")];
  const added = linesOf(paths).reverse();
  const set = linesOf(variables).map((line) => line.split(/=(.*)/s).slice(0, 2));
  writeFileSync(own, "");
  const files = { GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: own, GITHUB_ACTIONS: "true" };
  const more = {
    GITHUB_PATH: paths,
    GITHUB_ENV: variables,
    PATH: [...added, machine.path].join(":"),
  };
  const { status, log } = machine.run(run, {
    ...(Object.fromEntries(set) as Texts),
    ...env,
    ...files,
    ...more,
  });
  appendFileSync(summary, readFileSync(own, "utf8"));
  const outputs = linesOf(output).map((line) => line.split(/=(.*)/s).slice(0, 2));
  return { ok: status === 0, log, outputs: Object.fromEntries(outputs) as Texts };
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
}

function filled(values: Texts, context: Context): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, substitute(value, context)]),
  );
}

function isTrue(condition: string, context: Context): boolean {
  return Boolean(evaluate(condition.replace(/^\$\{\{|\}\}$/g, ""), context));
}
