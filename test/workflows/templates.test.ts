/** What `init` gives a site: workflows that deploy what passed the audit, and publishing by a tag. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { HOST_NAMES } from "../../src/contract/host.ts";
import { evaluate } from "./runner/expressions.ts";
import { readWorkflow, textOf } from "./runner/workflow.ts";

type Jobs = Record<string, unknown>;
const template = parse(textOf("template/nightly.yml")) as { jobs: Jobs; on: Jobs };
const site = readWorkflow("site.yml");
const elsewhere = site.jobs["deploy-elsewhere"];

test("the workflow that init writes, and the one that others call, have the same jobs", () => {
  const called = parse(textOf(".github/workflows/site.yml")) as { jobs: Jobs; on: Jobs };
  expect(called.jobs).toEqual(template.jobs);
  expect(Object.keys(called.on)).toEqual(["workflow_call"]);
  expect(Object.keys(template.on)).toEqual(["schedule", "push", "workflow_dispatch"]);
});

test("ten lines call it, with the permissions that its jobs need", () => {
  const text = textOf("template/caller.yml");
  expect(text.trim().split("\n").length).toBeLessThanOrEqual(11);
  const { jobs, permissions } = parse(text) as {
    jobs: Record<string, { uses: string; secrets: string }>;
    permissions: Record<string, string>;
  };
  expect(jobs["site"]?.uses).toMatch(/\/\.github\/workflows\/site\.yml@/);
  expect(jobs["site"]?.secrets).toBe("inherit");
  const needed = Object.values(site.jobs).map((job) => job.permissions);
  for (const [scope, access] of needed.flatMap((all) => Object.entries(all)))
    expect(permissions[scope] === "write" || permissions[scope] === access, scope).toBe(true);
});

test("a push of the owner is deployed when the site builds: nothing else is asked", () => {
  const runs = Object.values(site.jobs).flatMap(({ steps }) => steps.map(({ run = "" }) => run));
  expect(runs.filter((run) => /npm (?:test|run (?:check|test))|\.ci\//.test(run))).toEqual([]);
  expect(runs).toContain("npm run build");
  expect(site.jobs["deploy"]?.needs).toEqual(["build"]);
  expect(elsewhere?.needs).toEqual(["build"]);
});

describe.each([...HOST_NAMES, ""])("SITE_HOST=%s", (host) => {
  const holds = (condition = ""): boolean => {
    const text = condition.replace(/^\$\{\{|\}\}$/g, "");
    return Boolean(evaluate(text, { vars: { SITE_HOST: host }, env: { SITE_HOST: host } }));
  };

  test("one job deploys, by one step of that host, which alone has its secrets", () => {
    const isPages = host === "" || host === "github-pages";
    expect(holds(site.jobs["deploy"]?.if)).toBe(isPages);
    expect(holds(elsewhere?.if)).toBe(!isPages);
    if (isPages) return;
    const chosen = (elsewhere?.steps ?? []).filter(
      (step) => step.if !== undefined && holds(step.if),
    );
    expect(chosen).toHaveLength(1);
    const [step] = chosen;
    if (["cloudflare", "netlify", "s3"].includes(host)) {
      expect(JSON.stringify(step?.env)).toContain("secrets.");
    } else expect(step?.run).toContain("exit 78");
    const others = (elsewhere?.steps ?? []).filter((one) => one.if === undefined);
    expect(JSON.stringify([others, elsewhere?.env])).not.toContain("secrets.");
  });
});

test.each([
  ["a fork", "true", false],
  ["upstream", "", true],
])("a push to %s runs the tests of upstream: %s %s", (_, own, expected) => {
  const steps = readWorkflow("nightly.yml").jobs["test"]?.steps ?? [];
  const condition = (steps.at(-1)?.if ?? "").replace(/^\$\{\{|\}\}$/g, "");
  const outputs = { before: { outputs: { passed: "0" } }, site: { outputs: { own } } };
  expect(Boolean(evaluate(condition, { steps: outputs }))).toBe(expected);
});

test("the package is published by its tag, where no code of the repository runs, with provenance and a list of parts", () => {
  const { jobs, on } = readWorkflow("publish.yml");
  expect(on).toEqual({ push: { tags: ["v*.*.*"] } });
  expect(jobs["publish"]?.needs).toEqual(["pack"]);
  expect(jobs["pack"]?.needs).toEqual(["test"]);
  const { steps = [] } = jobs["publish"] ?? {};
  expect(steps.some(({ uses = "" }) => uses.startsWith("actions/checkout"))).toBe(false);
  const runs = steps.flatMap(({ run }) => run ?? []);
  expect(runs[0]).toMatch(/^npm publish --provenance .*--ignore-scripts/);
  expect(runs[1]).toContain("sbom.cdx.json");
  expect(JSON.stringify(jobs)).not.toContain("secrets.");
});

test("the file for GitLab keeps the state after a failure, and publishes what a build made", () => {
  const file = parse(textOf("template/gitlab-ci.yml")) as Record<string, unknown>;
  expect(Object.keys(file)).toEqual(["workflow", "pages"]);
  expect(file["pages"]).toMatchObject({
    image: expect.stringMatching(/^node:26\./) as string,
    resource_group: "state",
    cache: { key: "state", paths: ["state/"], policy: "pull-push", when: "always" },
    pages: { publish: "dist" },
  });
});
