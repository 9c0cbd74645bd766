/**
 * Rendering needs nothing but its snapshot: no network, no environment, and no place to write to but its own two folders
 * (docs/isolation.md).
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSnapshot } from "../support/make-snapshot.ts";
import { siteQuotes } from "../support/site-quotes.ts";
import { contentOf, differences } from "./support.ts";

const ROOT = join(import.meta.dirname, "../..");
const QUOTES = siteQuotes().filter(({ id }) => id % 5 === 0);

/** A user's own network, in which there is nothing: Linux alone has it, and not everywhere for everybody. */
const NO_NETWORK = ["/usr/bin/unshare", "--map-root-user", "--net"];
const [UNSHARE = "", ...OWN] = NO_NETWORK;
const UNSHARES = spawnSync(UNSHARE, [...OWN, "/bin/true"]).status === 0;

const QUIET = ["--disable-warning=ExperimentalWarning", "--disable-warning=SecurityWarning"];

/** Below the project, as the state is by default: there the bundle finds its packages without a link. */
const folder = join(ROOT, "node_modules", `.isolation-${process.pid}`);
const state = join(folder, "state");
const first = join(folder, "first");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param flags of Node; @param before what the command is run by */
function render(out: string, flags: readonly string[], before: readonly string[] = []) {
  mkdirSync(out, { recursive: true });
  const script = join(ROOT, "scripts/render.ts");
  const [command = "", ...args] = [
    ...[...before, process.execPath, ...flags, ...QUIET],
    ...[script, "--state", state, "--out", out, "--quiet"],
  ];
  // Not even a PATH.
  const { status, stderr } = spawnSync(command, args, { env: {}, cwd: ROOT, encoding: "utf8" });
  return { status, stderr };
}

const writing = (out: string): string[] => [
  "--permission",
  "--allow-worker",
  `--allow-fs-write=${state}`,
  `--allow-fs-write=${out}`,
];

beforeAll(() => {
  makeSnapshot({ stateDir: state, quotes: QUOTES });
  const bundling = ["--allow-child-process", "--allow-addons", "--allow-net", "--allow-fs-read=*"];
  const flags = [...writing(first), ...bundling];
  expect(render(first, flags, UNSHARES ? NO_NETWORK : [])).toEqual({ status: 0, stderr: "" });
}, 120_000);

const where = UNSHARES ? "" : " (the network was there: this system lets nobody unshare it)";
test.skipIf(!UNSHARES)(`no network and no environment are needed to make a site${where}`, () => {
  const site = contentOf(first);
  expect(Object.keys(site).length).toBeGreaterThan(100);
  expect(site["index.html"]).toContain("data-attribution");
});

test("a render that may do anything makes the same", () => {
  const out = join(folder, "free");
  expect(render(out, [])).toEqual({ status: 0, stderr: "" });
  expect(differences(contentOf(out), contentOf(first))).toEqual([]);
}, 120_000);

test("with the bundle kept, reading the project and writing two folders is enough", () => {
  const out = join(folder, "held");
  const flags = [...writing(out), `--allow-fs-read=${ROOT}`];
  expect(render(out, flags, UNSHARES ? NO_NETWORK : [])).toEqual({ status: 0, stderr: "" });
  expect(differences(contentOf(out), contentOf(first))).toEqual([]);
}, 120_000);

test("nothing is written anywhere else", () => {
  const out = join(folder, "forbidden");
  const { status, stderr } = render(out, [...writing(first), "--allow-fs-read=*"]);
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/ERR_ACCESS_DENIED|Access to this API has been restricted|EACCES/);
  expect(contentOf(out)).toEqual({});
}, 120_000);
