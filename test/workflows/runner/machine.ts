/**
 * A machine of the CI system: a fresh copy of the repository's files, and a shell.
 *
 * `npm ci` is left out because it costs minutes and shows nothing about the workflow: the packages are linked instead.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CORE, tempFolder } from "../../support/run/index.ts";
import { ROOT } from "./workflow.ts";

const SOURCES = ["src", "scripts", "public", "package.json", "package-lock.json", ".npmrc"];
// A fork's astro.config.mjs may name files of its `site`; what the site says is not tested here.
const MORE = ["astro.config.mjs", "tsconfig.json", "site"];

export type Machine = ReturnType<typeof startMachine>;

/** The installation, the tests (which run this machine), and what needs GitHub itself. */
const LEFT_OUT =
  /^(?:npm ci\b|npm run test\b|\.ci\/run$|gh api\b|sudo (?:apt-get|add-apt-repository)\b)/;

export function startMachine(name: string) {
  const folder = tempFolder(`ci-${name}`);
  mkdirSync(folder, { recursive: true });
  for (const source of [...SOURCES, ...MORE]) {
    cpSync(join(ROOT, source), join(folder, source), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const { PATH = "", HOME = "", TMPDIR = "/tmp", SITE_DIR = "" } = process.env;
  // Nothing else of the environment of the tests; and the machine's Node is theirs.
  const path = `${programs()}:${dirname(process.execPath)}:${PATH}`;
  const system = { PATH: path, HOME, TMPDIR, SITE_DIR, CI: "true" };
  return {
    folder,
    path,
    /** @returns the status, and what the commands wrote to both streams */
    run(commands: string, env: Readonly<Record<string, string>>) {
      if (LEFT_OUT.test(commands.trim())) return { status: 0, log: `left out: ${commands}\n` };
      // As `keepOnOneCore()` does, where the system can.
      const pin = `taskset -cp ${CORE} $$ > /dev/null 2>&1 || true`;
      const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", `${pin}\n${commands}`];
      const options = { cwd: folder, encoding: "utf8", env: { ...system, ...env } } as const;
      const { status, stdout, stderr } = spawnSync("bash", args, options);
      return { status: status ?? 1, log: stdout + stderr };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The commit that a run has passed with, as GitHub's API answers. */
export const PASSED = "0123456789abcdef0123456789abcdef01234567";

/**
 * A folder with a `date` that always says the same: two runs are compared, and midnight may be between them; and with a `gh` that
 * knows one commit, and else fails.
 */
function programs(): string {
  const folder = tempFolder("programs");
  writeFileSync(join(folder, "date"), "#!/bin/sh\necho 2026-11-21\n", { mode: 0o755 });
  const gh = `#!/bin/sh\ncase "$*" in *"head_sha=${PASSED}&status=success"*total_count) echo 1;; *) exit 1;; esac\n`;
  writeFileSync(join(folder, "gh"), gh, { mode: 0o755 });
  return folder;
}
