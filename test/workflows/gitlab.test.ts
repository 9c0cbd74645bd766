/** GitLab's file, run by its own scripts: each job on a machine of its own, with the cache and artifacts it names. */
// @module-tag long
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../support/run/index.ts";
import { startMachine } from "./runner/machine.ts";
import { readGitlab, type GitlabJob } from "./runner/workflow.ts";

const { variables, jobs } = readGitlab();
const keep = tempFolder("gitlab");
const cache = join(keep, "cache");
const artifacts = join(keep, "artifacts");

/** What a project without settings is told, and a small part of the embedded collection. */
const GIVEN = {
  ...variables,
  CI_PIPELINE_SOURCE: "schedule",
  CI_PIPELINE_CREATED_AT: "2026-11-21T03:17:00Z",
  CI_PAGES_URL: "https://someone.example/quotes",
  CI_NODE_INDEX: "1",
  CI_NODE_TOTAL: "1",
  QUOTES_LANGUAGES: "he",
};

function run(name: string, env: Readonly<Record<string, string>> = {}): string {
  const job = jobs.get(name) as GitlabJob;
  const machine = startMachine(name);
  const take = (from: string, path: string, to: string): void => {
    if (existsSync(join(from, path))) cpSync(join(from, path), join(to, path), { recursive: true });
  };
  try {
    const kept = job.cache?.paths ?? [];
    if (job.cache?.policy.startsWith("pull")) {
      for (const path of kept) take(cache, path, machine.folder);
    }
    if (existsSync(artifacts)) cpSync(artifacts, machine.folder, { recursive: true });
    const lines = job.script.filter((line) => !line.startsWith("npm ci"));
    const { status, log } = machine.run(lines.join("\n"), { ...GIVEN, ...env });
    for (const path of kept) take(machine.folder, path, cache);
    expect({ status, log: status === 0 ? "" : log }).toEqual({ status: 0, log: "" });
    // Packages are linked into each machine.
    const handedOn = job.artifacts.paths.filter((path) => path !== "node_modules/");
    for (const path of handedOn) take(machine.folder, path, artifacts);
    return log;
  } finally {
    machine.remove();
  }
}

test("a fresh project without a secret makes the site of the embedded collection", () => {
  expect([...jobs.keys()].map((name) => run(name)).join("")).toContain("nothing found");
  const home = readFileSync(join(artifacts, "dist/index.html"), "utf8");
  expect(home).toContain("https://someone.example/quotes/");
  expect(existsSync(join(artifacts, "dist/pagefind"))).toBe(true);
  expect(existsSync(join(cache, "state/history.ndjson"))).toBe(true);
});

test("a push spends no calls where there are quotes", () => {
  const log = run("harvest", { CI_PIPELINE_SOURCE: "push", QUOTES_BASE_URL: "http://127.0.0.1:9" });
  expect(log).toBe("The quotes of the last run are used again.\n");
});
