/** Rendering needs nothing but its snapshot: no network and no environment (docs/isolation.md). */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { makeSnapshot, siteQuotes } from "../support/snapshot/index.ts";
import { tempFolder } from "../support/run/index.ts";
import { contentOf, differences } from "./support.ts";

const ROOT = join(import.meta.dirname, "../..");
const QUOTES = siteQuotes().filter(({ id }) => id % 20 === 0);

/** A user's own network, in which there is nothing: Linux alone has it, and not everywhere for everybody. */
const NO_NETWORK = ["/usr/bin/unshare", "--map-root-user", "--net"];
const [UNSHARE = "", ...OWN] = NO_NETWORK;
const UNSHARES = spawnSync(UNSHARE, [...OWN, "/bin/true"]).status === 0;

const folder = tempFolder("isolation");
const state = join(folder, "state");

/** @param before what the command is run by */
function render(out: string, before: readonly string[] = []) {
  mkdirSync(out, { recursive: true });
  const script = join(ROOT, "scripts/commonplace.mjs");
  const [command = "", ...args] = [
    ...[...before, process.execPath, script, "render"],
    ...["--state", state, "--out", out, "--quiet"],
  ];
  // Not even a PATH.
  const { status, stderr } = spawnSync(command, args, { env: {}, cwd: ROOT, encoding: "utf8" });
  return { status, stderr };
}

beforeAll(() => {
  makeSnapshot({ stateDir: state, quotes: QUOTES });
});

const where = UNSHARES ? "" : " (the network was there: this system cannot unshare it)";
test.skipIf(!UNSHARES)(
  `no network and no environment are needed to make a site${where}`,
  () => {
    const alone = join(folder, "alone");
    const free = join(folder, "free");
    expect(render(alone, NO_NETWORK)).toEqual({ status: 0, stderr: "" });
    expect(render(free)).toEqual({ status: 0, stderr: "" });
    const site = contentOf(alone);
    expect(Object.keys(site).length).toBeGreaterThan(100);
    expect(site["index.html"]).toContain("data-attribution");
    expect(differences(contentOf(free), site)).toEqual([]);
  },
  120_000,
);
