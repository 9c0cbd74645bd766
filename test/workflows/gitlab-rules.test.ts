/** What GitLab's file promises without being run: what is cached, who waits for whom, where the credential is. */
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { readGitlab } from "./runner/workflow.ts";

const { jobs } = readGitlab();

test("the state is cached, also after a failure, and nothing else is", () => {
  expect([...jobs.keys()]).toEqual(["harvest", "render", "pages"]);
  const caches = [...jobs.values()].map(({ cache }) => cache);
  expect(caches.map((cache) => cache?.policy)).toEqual(["pull-push", undefined, "push"]);
  for (const cache of caches.filter((cache) => cache !== undefined)) {
    expect(cache).toMatchObject({ key: "state", paths: ["state/"], when: "always" });
  }
});

test("who writes the state waits for who does", () => {
  const groups = [...jobs.values()].map((job) => job.resource_group);
  expect(groups).toEqual(["state", undefined, "state"]);
});

test("the credential is of the environment that harvests and audits", () => {
  const environments = [...jobs.values()].map(({ environment }) => environment);
  const harvest = { name: "harvest", action: "access" };
  expect(environments).toEqual([harvest, undefined, harvest]);
});

test("no command has the credential but the harvest and the audit that searches for it", () => {
  const folder = tempFolder("commands");
  const known = [...jobs.values()].flatMap(({ script }) => commandsWith(script, folder));
  expect(known.filter(({ secret }) => secret).map(({ command }) => command)).toEqual([
    "run harvest -- --pictures",
    "run audit",
  ]);
  expect(known.filter(({ secret }) => !secret).length).toBeGreaterThan(4);
});

/** What a job's script calls `npm` with, and whether it then had the credential: by an `npm` that only says so. */
function commandsWith(script: readonly string[], folder: string) {
  const npm = join(folder, "npm");
  writeFileSync(npm, '#!/bin/sh\necho "NPM ${QUOTES_TOKEN-} $*"\n');
  chmodSync(npm, 0o755);
  const { stdout } = spawnSync(
    "bash",
    ["--noprofile", "--norc", "-eo", "pipefail", "-c", script.join("\n")],
    {
      cwd: folder,
      encoding: "utf8",
      env: {
        PATH: `${folder}:${process.env["PATH"] ?? ""}`,
        QUOTES_TOKEN: "a-secret-one",
        STATE_DIR: "state",
        CI_PAGES_URL: "https://someone.example/quotes",
      },
    },
  );
  const calls = stdout.split("\n").filter((line) => line.startsWith("NPM "));
  return calls.map((line) => ({
    secret: line.startsWith("NPM a-secret-one "),
    command: line.replace(/^NPM \S* /, ""),
  }));
}
