/** What GitHub's files promise without being run: pins, permissions, where the credential is, and what is cached. */
import { registerHooks } from "node:module";
import { describe, expect, test } from "vitest";
import { VARIABLES } from "../../src/settings/sources.ts";
import { tempFolder } from "../support/run/index.ts";
import { OTHER_BROWSERS } from "../support/vitest/other-browsers.ts";
import { evaluate } from "./runner/expressions.ts";
import { PASSED } from "./runner/machine.ts";
import { runWorkflow } from "./runner/run-workflow.ts";
import { readWorkflow, textOf, type Step } from "./runner/workflow.ts";

// The parser's import of a JSON file lacks the attribute that Node wants.
const hooks = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } =
  await import("@actions/workflow-parser");
hooks.deregister();

const FILES = ["nightly.yml", "check.yml", "platforms.yml", "publish.yml", "site.yml"];

describe.each(FILES)("%s", (name) => {
  const workflow = readWorkflow(name);
  const jobs = Object.entries(workflow.jobs);
  const steps: Step[] = jobs.flatMap(([, job]) => job.steps);

  test("GitHub's own parser finds no mistake in it", async () => {
    const content = textOf(`.github/workflows/${name}`);
    const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
    if (value !== undefined) await convertWorkflowTemplate(context, value);
    expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
  });

  test("every action is pinned to a commit, with its version in a comment", () => {
    const lines = textOf(`.github/workflows/${name}`).match(/^.*\buses: .*$/gm) ?? [];
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      expect(line).toMatch(/uses: actions\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  test("each job has the permissions it needs, and no other", () => {
    const needed: Record<string, Record<string, string>> = {
      prepare: { pages: "read" },
      test: { contents: "read", actions: "read" },
      deploy: { pages: "write", "id-token": "write" },
      "keep-alive": { actions: "write" },
    };
    const more: Record<string, Record<string, Record<string, string>>> = {
      "site.yml": { build: { contents: "read", pages: "read" }, "deploy-elsewhere": {} },
      // npm knows the workflow by the token, and the release is written.
      "publish.yml": {
        test: { contents: "read" },
        publish: { contents: "write", "id-token": "write" },
      },
    };
    expect(workflow.permissions).toEqual({});
    for (const [id, job] of jobs) {
      expect(job.permissions, id).toEqual(more[name]?.[id] ?? needed[id] ?? { contents: "read" });
    }
  });

  test("checked out without a credential left behind", () => {
    for (const step of steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"))) {
      expect(step.with).toEqual({ "persist-credentials": "false" });
    }
  });

  test("commands hold no expression: values come by the environment", () => {
    for (const { run } of steps) expect(run ?? "").not.toContain("${{");
  });

  test("no packages are cached", () => {
    for (const { uses = "", with: inputs = {} } of steps) {
      if (uses.startsWith("actions/cache")) expect(inputs["path"]).toBe("state");
      if (!uses.startsWith("actions/setup-node")) continue;
      // test/packages.test.ts compares the versions.
      expect(inputs).toMatchObject({
        "node-version": expect.stringMatching(/^26\.|^\$\{\{ matrix\.node \}\}$/) as string,
        "package-manager-cache": "false",
      });
    }
  });
});

describe("nightly.yml", () => {
  const { jobs, concurrency, on, env } = readWorkflow("nightly.yml");

  test("the credential is known to the step that harvests, and to the audit that searches for it", () => {
    const holders = Object.values(jobs)
      .flatMap((job) => job.steps)
      .filter((step) => JSON.stringify(step).includes("secrets."));
    expect(holders).toHaveLength(2);
    expect(holders[0]?.run).toContain("node scripts/commonplace.mjs harvest");
    expect(holders[1]?.run).toBe("node scripts/commonplace.mjs audit");
    // npm would run the Node of a package, and what else packages bring.
    for (const { run } of holders) expect(run).not.toMatch(/\bnp[mx]\b/);
    for (const { env } of holders) {
      expect(env?.["QUOTES_TOKEN"]).toBe("${{ secrets.QUOTES_TOKEN }}");
    }
    const everywhere = [env, ...Object.values(jobs).map((job) => job.env)];
    expect(JSON.stringify(everywhere)).not.toContain("secrets");
  });

  test("runs every night, on a push of more than documents, and by hand; two runs of a branch never overlap", () => {
    const { schedule, push, workflow_dispatch } = on as {
      schedule: { cron: string }[];
      push: { branches: string[]; "paths-ignore": string[] };
      workflow_dispatch: { inputs: Record<string, { default?: unknown }> };
    };
    expect(schedule).toHaveLength(1);
    expect(schedule[0]?.cron.split(" ")).toHaveLength(5);
    expect(push.branches).toEqual(["main"]);
    expect(push["paths-ignore"]).toEqual(expect.arrayContaining(["**.md", "docs/**"]));
    // An empty input leaves the choice to the variable of the repository.
    expect(workflow_dispatch.inputs["shards"]?.default).toBe("");
    const group = "nightly-${{ github.ref }}";
    expect(concurrency).toEqual({ group, "cancel-in-progress": false });
  });

  test("every documented variable is passed on", () => {
    // GitHub's own machines reach the service without a proxy; one of a company has these variables itself.
    const elsewhere =
      /^(?:HTTPS?_PROXY$|NO_PROXY$|RELAY_|GITHUB_|CHROMIUM_|STATE_DIR|QUOTES_TOKEN(?:_FILE)?$|SITE_(?:SHARD|DATE|NOW)$)/;
    const text = textOf(".github/workflows/nightly.yml");
    const missing = VARIABLES.filter((name) => !elsewhere.test(name)).filter(
      (name) => !new RegExp(`^ +${name}: \\$\\{\\{.*vars\\.${name}\\b`, "m").test(text),
    );
    expect(missing).toEqual([]);
  });

  test("nothing is deployed before its audit and the tests of its commit", () => {
    expect(jobs["deploy"]?.needs).toEqual(["audit", "test"]);
    expect(jobs["test"]?.steps.at(-1)?.run).toBe(".ci/run");
    expect(jobs["test"]).not.toHaveProperty("if");
  });

  test.each(["schedule", "push", "workflow_dispatch"])(
    "a %s tests a commit that no run has passed with, and no other again",
    (event_name) => {
      const workflow = readWorkflow("nightly.yml");
      const { test: tests } = workflow.jobs;
      if (tests === undefined) throw new Error("there is no job test");
      const logOf = (sha: string): string => {
        const keep = { folder: tempFolder("tests"), caches: [], deployed: false };
        const github = { event_name, sha, repository: "you/quotes", token: "t" };
        const given = { github, inputs: {}, vars: {}, secrets: {} };
        const { failed, logs } = runWorkflow(
          { ...workflow, env: {}, jobs: { test: tests } },
          given,
          keep,
        );
        expect(failed).toEqual([]);
        return logs["test"] ?? "";
      };
      expect(logOf(PASSED)).not.toContain(".ci/run");
      expect(logOf("f".repeat(40))).toContain("left out: .ci/run");
    },
  );

  test("no job with the credential runs code of the site before", () => {
    for (const [name, job] of Object.entries(jobs)) {
      const at = job.steps.findIndex((step) => JSON.stringify(step).includes("secrets."));
      const before = job.steps.slice(0, Math.max(at, 0)).flatMap(({ run }) => run ?? []);
      expect(
        before.filter((run) => /commonplace|npm run|npx/.test(run)),
        name,
      ).toEqual([]);
    }
  });

  test("the long tier of tests runs every night, within a bound, and no job waits for it", () => {
    const steps = jobs["test-long"]?.steps ?? [];
    const last = { run: "npm run test:long", env: { CI_MINUTES: "45" } };
    expect(steps.at(-1)).toMatchObject(last);
    for (const step of steps) expect(step.if).toBe("${{ github.event_name == 'schedule' }}");
    for (const { needs } of Object.values(jobs)) expect(needs).not.toContain("test-long");
  });

  test("Firefox and WebKit are installed and tested every night, and no job waits for them", () => {
    const steps = jobs["test-browsers"]?.steps ?? [];
    const runs = steps.map(({ run = "" }) => run);
    expect(runs.at(-2)).toMatch(/install --yes firefox-esr webkit2gtk-driver xvfb/);
    expect(steps.at(-1)).toMatchObject({
      run: `npm run test -- ${OTHER_BROWSERS.map((name) => `--project ${name}`).join(" ")}`,
      env: { TEST_BROWSERS: OTHER_BROWSERS.join() },
    });
    for (const step of steps) expect(step.if).toBe("${{ github.event_name == 'schedule' }}");
    for (const { needs } of Object.values(jobs)) expect(needs).not.toContain("test-browsers");
  });

  test("only jobs that test install what tests need", () => {
    for (const [name, job] of Object.entries(jobs)) {
      const installs = job.steps.flatMap(({ run }) => (run?.startsWith("npm ci") ? [run] : []));
      const expected = /^test-/.test(name) ? "npm ci" : "npm ci --omit=dev";
      expect(installs, name).toEqual(installs.map(() => expected));
    }
  });

  test("the state is found by its prefix and saved under a new key, also after a failure", () => {
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    const restore = steps.find(({ uses }) => uses?.startsWith("actions/cache/restore@"));
    const saves = steps.filter(({ uses }) => uses?.startsWith("actions/cache/save@"));
    const prefix = restore?.with?.["restore-keys"]?.trim() ?? "none";
    expect(saves).toHaveLength(2);
    expect(new Set(saves.map((step) => step.with?.["key"])).size).toBe(2);
    for (const save of saves) {
      expect(save.if).toContain("always()");
      expect(save.with?.["key"]?.startsWith(prefix)).toBe(true);
      expect(save.with?.["key"]).toContain("github.run_id");
      expect(save.with?.["key"]).toContain("github.run_attempt");
    }
  });

  test.each([
    ["schedule", "main", undefined, true],
    ["push", "main", "main", true],
    ["workflow_dispatch", "main", "main", true],
    ["workflow_dispatch", "try-this", "main", false],
  ])("a %s on %s deploys: %s, %s", (event_name, ref_name, default_branch, expected) => {
    const repository = default_branch === undefined ? undefined : { default_branch };
    const github = { event_name, ref_name, event: { repository } };
    const condition = jobs["deploy"]?.if?.replace(/^\$\{\{|\}\}$/g, "") ?? "";
    expect(Boolean(evaluate(condition, { github }))).toBe(expected);
  });
});
