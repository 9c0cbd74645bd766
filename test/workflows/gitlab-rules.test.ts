/** What GitLab's file promises without being run: what is cached, who waits for whom, where the credential is. */
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../support/run/index.ts";
import { readGitlab } from "./runner/workflow.ts";

const { jobs } = readGitlab();

test("the state is cached, also after a failure, and nothing else is", () => {
  expect([...jobs.keys()]).toEqual(["install", "harvest", "render", "site", "pages"]);
  const caches = [...jobs.values()].map(({ cache }) => cache);
  const policies = [undefined, "pull-push", undefined, "push", "push"];
  expect(caches.map((cache) => cache?.policy)).toEqual(policies);
  for (const cache of caches.filter((cache) => cache !== undefined)) {
    expect(cache).toMatchObject({ key: "state", paths: ["state/"], when: "always" });
  }
});

test("jobs that write the state wait for each other", () => {
  const groups = [...jobs.values()].map((job) => job.resource_group);
  expect(groups).toEqual([undefined, "state", undefined, "state", "state"]);
});

test("the credential is of the environment that harvests and audits", () => {
  const environments = [...jobs.values()].map(({ environment }) => environment);
  const harvest = { name: "harvest", action: "access" };
  expect(environments).toEqual([undefined, harvest, undefined, undefined, harvest]);
});

test("no job has the credential but the harvest and the audit, which run the image's Node alone", () => {
  const folder = tempFolder("commands");
  const calls = [...jobs.values()].flatMap(({ script, environment }) =>
    commandsOf(script, folder).map((command) => ({ command, secret: environment !== undefined })),
  );
  // The credential is a variable of the environment "harvest": a job that names it has it in every process.
  expect(calls.filter(({ secret }) => secret).map(({ command }) => command)).toEqual([
    "node scripts/commonplace.mjs harvest --pictures",
    "node scripts/commonplace.mjs audit",
  ]);
  const others = calls.filter(({ secret }) => !secret).map(({ command }) => command);
  expect(others.filter((command) => command.startsWith("npm ci"))).toHaveLength(1);
  expect(others.filter((command) => command.startsWith("npm run"))).toHaveLength(2);
});

/** What a job's script runs of Node and npm, without looking at addresses: by programs that only say it. */
function commandsOf(script: readonly string[], folder: string): string[] {
  for (const name of ["npm", "node"]) {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\n[ "$1" = -p ] || echo "CALL ${name} $*"\n`);
    chmodSync(path, 0o755);
  }
  const env = {
    PATH: `${folder}:${process.env["PATH"] ?? ""}`,
    ...{ STATE_DIR: "state", CI_PAGES_URL: "https://someone.example/quotes" },
  };
  const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script.join("\n")];
  const { stdout } = spawnSync("bash", args, { cwd: folder, encoding: "utf8", env });
  const calls = stdout.split("\n").filter((line) => line.startsWith("CALL "));
  return calls.map((line) => line.slice("CALL ".length));
}
