/**
 * A machine of the CI system: a fresh copy of the repository's files, and a shell.
 *
 * `npm ci` is left out because it costs minutes and shows nothing about the workflow: the packages are linked instead.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tempFolder } from "../../support/run/index.ts";
import { ROOT } from "./workflow.ts";

const SOURCES = ["src", "scripts", "public", "package.json", "package-lock.json", ".npmrc"];
const MORE = ["astro.config.mjs", "tsconfig.json"];

interface Ran {
  readonly status: number;
  /** What the commands wrote, both ways. */
  readonly log: string;
}

export interface Machine {
  readonly folder: string;
  run(commands: string, env: Readonly<Record<string, string>>): Ran;
  remove(): void;
}

/** The installation, the tests (which run this machine), and what needs GitHub itself. */
const LEFT_OUT = /^(?:npm ci\b|\.ci\/run$|gh api\b)/;

/** A folder with a `date` that always says the same: two runs are compared, and midnight may be between them. */
const calendar = tempFolder("calendar");
writeFileSync(join(calendar, "date"), "#!/bin/sh\necho 2026-11-21\n");
chmodSync(join(calendar, "date"), 0o755);

export function startMachine(name: string): Machine {
  const folder = tempFolder(`ci-${name}`);
  mkdirSync(folder, { recursive: true });
  for (const source of [...SOURCES, ...MORE]) {
    cpSync(join(ROOT, source), join(folder, source), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return {
    folder,
    run(commands, env) {
      if (LEFT_OUT.test(commands.trim())) return { status: 0, log: "" };
      const { status, stdout, stderr } = spawnSync(
        "bash",
        ["--noprofile", "--norc", "-eo", "pipefail", "-c", commands],
        { cwd: folder, encoding: "utf8", env: { ...ofTheSystem(), ...env } },
      );
      return { status: status ?? 1, log: stdout + stderr };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Nothing of the environment of the tests, but where programs and temporary files are; their Node is the machine's. */
function ofTheSystem(): Record<string, string> {
  const { PATH = "", HOME = "", TMPDIR = "/tmp" } = process.env;
  return { PATH: `${calendar}:${dirname(process.execPath)}:${PATH}`, HOME, TMPDIR, CI: "true" };
}
