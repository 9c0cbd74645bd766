/**
 * A machine of the CI system: a fresh copy of the repository's files, and a shell.
 *
 * `npm ci` is left out, which costs minutes and says nothing about the workflow: the packages are linked instead.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "../../support/temp-folder.ts";
import { ROOT } from "./workflow.ts";

const SOURCES = ["src", "scripts", "public", "package.json", "package-lock.json", ".npmrc"];
const MORE = ["astro.config.mjs", "tsconfig.json"];

export interface Ran {
  readonly status: number;
  /** What the commands wrote, both ways. */
  readonly log: string;
}

export interface Machine {
  readonly folder: string;
  run(commands: string, env: Readonly<Record<string, string>>): Ran;
  remove(): void;
}

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
      if (/^npm ci\b.*$/.test(commands.trim())) return { status: 0, log: "" };
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

/** Nothing of the environment of whoever runs the tests, but where programs and temporary files are. */
function ofTheSystem(): Record<string, string> {
  const { PATH = "", HOME = "", TMPDIR = "/tmp" } = process.env;
  return { PATH, HOME, TMPDIR, CI: "true" };
}
