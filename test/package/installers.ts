/** The programs that install packages, each with a registry, a cache and a home of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";

const MODULES = join(import.meta.dirname, "../../node_modules");

export interface Installer {
  readonly name: string;
  /** Arguments that run the program of a package which is not installed. */
  readonly execute: readonly string[];
  /** Its script; null where it is not on this machine. */
  readonly script: string | null;
  /** Its settings in the home folder. Those of a project are what `init` writes. */
  readonly settings: (registry: string) => Readonly<Record<string, string>>;
}

const existing = (path: string): string | null => (existsSync(path) ? path : null);

/** npm comes with Node: beside the one that runs, or with that of the system. */
const NPM = [dirname(dirname(process.execPath)), "/usr/local", "/usr"]
  .map((folder) => join(folder, "lib/node_modules/npm/bin/npm-cli.js"))
  .find((path) => existsSync(path));

const npmrc = (registry: string) => ({
  ".npmrc": `registry=${registry}\naudit=false\nfund=false\n`,
});

export const INSTALLERS: readonly Installer[] = [
  { name: "npm", execute: ["exec", "--yes", "--"], script: NPM ?? null, settings: npmrc },
  {
    name: "pnpm",
    execute: ["dlx"],
    script: existing(join(MODULES, "pnpm/bin/pnpm.mjs")),
    settings: npmrc,
  },
  {
    name: "yarn",
    execute: ["dlx", "--quiet"],
    script: existing(join(MODULES, "@yarnpkg/cli-dist/bin/yarn.js")),
    settings: (registry) => ({
      ".yarnrc.yml": `enableGlobalCache: false
enableImmutableInstalls: false
enableTelemetry: false
npmMinimalAgeGate: 0
npmRegistryServer: ${registry}
unsafeHttpWhitelist: ["127.0.0.1"]
`,
    }),
  },
];

/** Runs an installer with nothing of the user's but a home folder of its own. It ends after ten minutes at most. */
export async function runInstaller(
  { script }: Installer,
  args: readonly string[],
  { cwd, home }: { cwd: string; home: string },
) {
  const child = spawn(process.execPath, [script ?? "", ...args], {
    cwd,
    env: {
      HOME: home,
      PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
      CI: "true",
      ASTRO_TELEMETRY_DISABLED: "1",
      SITE_DATE: "2026-11-20",
      SITE_NOW: "2026-11-20T03:00:00Z",
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 600_000,
  });
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { status: child.exitCode, stdout, stderr };
}
