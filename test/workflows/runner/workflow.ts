/** The CI files as they stand, checked as far as the tests read them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

export const ROOT = join(import.meta.dirname, "../../..");

const text = z.record(z.string(), z.coerce.string());

const stepSchema = z.strictObject({
  id: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  with: text.optional(),
  env: text.optional(),
  run: z.string().optional(),
  shell: z.string().optional(),
  "timeout-minutes": z.int().optional(),
});

const jobSchema = z.strictObject({
  needs: z.union([z.string().transform((name) => [name]), z.array(z.string())]).default([]),
  if: z.string().optional(),
  "runs-on": z.string(),
  "timeout-minutes": z.int(),
  permissions: text,
  outputs: text.optional(),
  env: text.optional(),
  environment: z.unknown().optional(),
  strategy: z
    .object({
      matrix: z.object({
        shard: z.string().optional(),
        runner: z.array(z.string()).optional(),
        node: z.array(z.string()).optional(),
      }),
    })
    .optional(),
  steps: z.array(stepSchema),
});

const workflowSchema = z.object({
  permissions: text,
  concurrency: z.object({ group: z.string(), "cancel-in-progress": z.boolean() }),
  env: text.optional(),
  on: z.unknown(),
  jobs: z.record(z.string(), jobSchema),
});

export type Step = z.output<typeof stepSchema>;
export type Job = z.output<typeof jobSchema>;
export type Workflow = z.output<typeof workflowSchema>;

export function textOf(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

export function readWorkflow(name: string): Workflow {
  return workflowSchema.parse(parse(textOf(`.github/workflows/${name}`)));
}

const list = z.array(z.union([z.string(), z.array(z.string())]));
const gitlabJob = z.looseObject({
  script: list.transform((lines) => lines.flat()),
  cache: z
    .object({ key: z.string(), paths: z.array(z.string()), policy: z.string(), when: z.string() })
    .optional(),
  artifacts: z.object({ paths: z.array(z.string()) }),
  resource_group: z.string().optional(),
  environment: z.unknown().optional(),
});

export type GitlabJob = z.output<typeof gitlabJob>;

/** The jobs of GitLab's file, and its variables. */
export function readGitlab(): { variables: Record<string, string>; jobs: Map<string, GitlabJob> } {
  const file = parse(textOf(".gitlab-ci.yml")) as Record<string, unknown>;
  const jobs = Object.entries(file).flatMap(([name, value]) => {
    const job = gitlabJob.safeParse(value);
    return job.success && !name.startsWith(".") ? [[name, job.data] as const] : [];
  });
  return { variables: text.parse(file["variables"]), jobs: new Map(jobs) };
}
