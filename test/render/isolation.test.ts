/** Rendering needs nothing but its snapshot: no network and no environment (docs/isolation.md). */
// @module-tag long
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { makeSnapshot, siteQuotes } from "../support/snapshot/index.ts";
import { run, tempFolder } from "../support/run/index.ts";
import { contentOf, differences } from "./support.ts";

const ROOT = join(import.meta.dirname, "../..");
const QUOTES = siteQuotes().filter(({ id }) => id % 20 === 0);

/** A user's own network, in which there is nothing: Linux alone has it, and not everywhere for everybody. */
const [UNSHARE, ...OWN] = ["/usr/bin/unshare", "--map-root-user", "--net"] as const;
const UNSHARES = spawnSync(UNSHARE, [...OWN, "/bin/true"]).status === 0;

const folder = tempFolder("isolation");
const state = join(folder, "state");

beforeAll(() => {
  makeSnapshot({ stateDir: state, quotes: QUOTES });
});

const where = UNSHARES ? "" : " (the network was there: this system cannot unshare it)";
test.skipIf(!UNSHARES)(
  `no network and no environment are needed to make a site${where}`,
  async () => {
    const [alone, free] = [join(folder, "alone"), join(folder, "free")];
    const rendering = (out: string) => ["render", "--state", state, "--out", out, "--quiet"];
    mkdirSync(alone, { recursive: true });
    const program = [process.execPath, join(ROOT, "scripts/commonplace.mjs"), ...rendering(alone)];
    const options = { env: {}, cwd: ROOT, encoding: "utf8" } as const;
    const { status, stderr } = spawnSync(UNSHARE, [...OWN, ...program], options);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const [command = "", ...args] = rendering(free);
    expect(await run(command, args, { SITE_DIR: undefined })).toMatchObject({ status: 0 });
    const site = contentOf(alone);
    expect(Object.keys(site).length).toBeGreaterThan(100);
    expect(site["index.html"]).toContain("data-attribution");
    expect(differences(contentOf(free), site)).toEqual([]);
  },
);
