/**
 * Rendering needs nothing but its snapshot: no network, no environment, and no place to write to but its own two folders
 * (docs/isolation.md).
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSnapshot } from "../support/make-snapshot.ts";
import { siteQuotes } from "../support/site-quotes.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { contentOf, differences } from "./support.ts";

const ROOT = join(import.meta.dirname, "../..");
const QUOTES = siteQuotes().filter(({ id }) => id % 5 === 0);

/** A user's own network, in which there is nothing: Linux alone has it, and not everywhere for everybody. */
const NO_NETWORK = ["/usr/bin/unshare", "--map-root-user", "--net"];
const [UNSHARE = "", ...OWN] = NO_NETWORK;
const UNSHARES = spawnSync(UNSHARE, [...OWN, "/bin/true"]).status === 0;

const QUIET = ["--disable-warning=ExperimentalWarning", "--disable-warning=SecurityWarning"];

const folder = tempFolder("isolation");
const state = join(folder, "state");
let first: Record<string, string>;

interface Place {
  readonly state: string;
  readonly out: string;
}

/** @param flags of Node; @param before what the command is run by */
function render({ state, out }: Place, flags: readonly string[], before: readonly string[] = []) {
  mkdirSync(out, { recursive: true });
  const script = join(ROOT, "scripts/render.ts");
  const [command = "", ...args] = [
    ...[...before, process.execPath, ...flags, ...QUIET],
    ...[script, "--state", state, "--out", out, "--quiet"],
  ];
  // Not even a PATH.
  const { status, stderr } = spawnSync(command, args, { env: {}, cwd: folder, encoding: "utf8" });
  return { status, stderr };
}

const writing = ({ state, out }: Place): string[] => [
  "--permission",
  "--allow-worker",
  `--allow-fs-write=${state}`,
  `--allow-fs-write=${out}`,
];

beforeAll(() => {
  makeSnapshot({ stateDir: state, quotes: QUOTES });
  const out = join(folder, "first");
  expect(render({ state, out }, [], UNSHARES ? NO_NETWORK : [])).toEqual({ status: 0, stderr: "" });
  first = contentOf(out);
}, 120_000);

const where = UNSHARES ? "" : " (the network was there: this system lets nobody unshare it)";
test.skipIf(!UNSHARES)(
  `a site is made from nothing without a network, with an empty environment${where}`,
  () => {
    expect(Object.keys(first).length).toBeGreaterThan(100);
    expect(first["index.html"]).toContain("data-attribution");
  },
);

describe("under Node's permission model", () => {
  test("the same site is made of a kept bundle, reading the project and writing two folders", () => {
    const place = { state, out: join(folder, "held") };
    const reading = [`--allow-fs-read=${ROOT}`, `--allow-fs-read=${folder}`];
    expect(render(place, [...writing(place), ...reading])).toEqual({ status: 0, stderr: "" });
    expect(differences(contentOf(place.out), first)).toEqual([]);
  }, 120_000);

  test("nothing is written anywhere else", () => {
    const place = { state, out: join(folder, "forbidden") };
    const other = { state, out: join(folder, "other") };
    const { status, stderr } = render(place, [...writing(other), "--allow-fs-read=*"]);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/Access to this API has been restricted|EACCES|ERR_ACCESS_DENIED/);
    expect(contentOf(place.out)).toEqual({});
  }, 120_000);

  describe("with the state inside of the project, as it is by default", () => {
    const inside = join(ROOT, "node_modules", `.isolation-${process.pid}`);
    afterAll(() => rmSync(inside, { recursive: true, force: true }));

    test("the same site is made from nothing: the bundle needs no link", () => {
      const place = { state: join(inside, "state"), out: join(inside, "out") };
      cpSync(join(state, "snapshots"), join(place.state, "snapshots"), { recursive: true });
      cpSync(join(state, "current"), join(place.state, "current"));
      const bundling = ["--allow-child-process", "--allow-addons", "--allow-fs-read=*"];
      expect(render(place, [...writing(place), ...bundling])).toEqual({ status: 0, stderr: "" });
      expect(differences(contentOf(place.out), first)).toEqual([]);
    }, 120_000);
  });
});
