/** Commands write to folders that are empty or that a build made, follow no link in them, and take turns. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { takeLock } from "../../src/snapshot/lock.ts";
import { type Finished, start, tempFolder } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const { stateDir } = makeSnapshot({ quotes: [{ id: 1 }, { id: 2 }, { id: 3 }] });

interface How {
  readonly script?: string;
  readonly state?: string;
  readonly options?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

const begin = (out: string, { script = "render", state = stateDir, ...how }: How = {}) =>
  start(script, ["--state", state, "--out", out, "--quiet", ...(how.options ?? [])], how.env);

const run = (out: string, how?: How) => begin(out, how).finished;

/** No build touches these. */
const KEPT = [".git/hooks.html", "node_modules/package/index.html", "sub/.hidden/page.html"];

/** A folder of another project: its pages, some of them where no site has any. */
function foreign(): string {
  const folder = tempFolder("foreign");
  for (const file of ["notes.txt", "old.html", "sub/page.html", ...KEPT]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "precious");
  }
  return folder;
}

/** Where the first run finds the pages of another project. */
const first = foreign();
const shared = tempFolder("shared");
let adopted: Finished;
beforeAll(async () => {
  const env = { TMPDIR: shared };
  adopted = await begin(first, { options: ["--adopt"], env }).finished;
});

test("--adopt takes a folder over, prints what it removed, and is needed once", async () => {
  expect(adopted).toMatchObject({ status: 0, stderr: "" });
  expect(adopted.stdout).toMatch(/ 2 removed/);
  for (const file of ["old.html", "sub/page.html"])
    expect(existsSync(join(first, file))).toBe(false);
  for (const file of ["notes.txt", ...KEPT])
    expect(readFileSync(join(first, file), "utf8")).toBe("precious");
  expect(await run(first)).toMatchObject({ status: 0, stderr: "" });
});

test("a render keeps no compiled code in the temporary folder, which all users share", () => {
  expect(readdirSync(shared)).toEqual([]);
});

test("--out never takes the project, adopted or not", async () => {
  for (const options of [[], ["--adopt"]]) {
    const { status, stderr } = await run(ROOT, { options });
    expect(status).toBe(78);
    expect(stderr).toMatch(/^Cannot use --out [^\n]+\n$/);
  }
});

test.each(["build", "render", "merge"])(
  "npm run %s refuses a folder that no build made, and whose build.json is another program's",
  async (script) => {
    const out = foreign();
    writeFileSync(join(out, "build.json"), '{"name":"theirs"}');
    const before = readdirSync(out, { recursive: true });
    const { status, stderr } = await run(out, { script });
    expect(status).toBe(78);
    expect(stderr).toMatch(/^Cannot use --out [^\n]+--adopt[^\n]*\n$/);
    expect(readdirSync(out, { recursive: true })).toEqual(before);
    expect(readFileSync(join(out, "build.json"), "utf8")).toContain("theirs");
  },
);

test.each(["build", "render", "merge", "harvest", "plan"])(
  "npm run %s refuses a state that no run made",
  async (script) => {
    const state = foreign();
    const { status, stderr } = await run(join(tempFolder("out"), "dist"), { script, state });
    expect(status).toBe(78);
    expect(stderr).toMatch(/^Cannot use --state [^\n]+\n$/);
    expect(existsSync(join(state, "lock"))).toBe(false);
  },
);

test("the state may not lie in the site", async () => {
  const { status, stderr } = await run(stateDir, { options: ["--adopt"] });
  expect(status).toBe(78);
  expect(stderr).toContain("would be published");
});

test("a link to a folder in the site ends a render with status 74", async () => {
  const out = join(tempFolder("linked"), "dist");
  cpSync(first, out, { recursive: true });
  const outside = join(dirname(out), "outside");
  renameSync(join(out, "tags"), outside);
  symlinkSync(outside, join(out, "tags"));
  const { status, stderr } = await run(out);
  expect(status).toBe(74);
  expect(stderr).toMatch(/^Cannot use [^\n]+tags: it is a link[^\n]*\n$/);
  expect(readdirSync(outside)).toEqual(["index.html"]);
});

test.each(["work.sqlite", "current.unfinished", "history.ndjson.unfinished", "thumbnails"])(
  "a link %s in the state ends a command with status 74",
  async (name) => {
    const state = tempFolder("linked-state");
    cpSync(stateDir, state, { recursive: true });
    const outside = join(tempFolder("outside"), "precious");
    writeFileSync(outside, "precious");
    symlinkSync(outside, join(state, name));
    const { status, stderr } = await run(join(tempFolder("out"), "dist"), {
      script: "build",
      state,
    });
    expect(status).toBe(74);
    expect(stderr).toMatch(/^Cannot use [^\n]+: it is a link[^\n]*\n$/);
    expect(readFileSync(outside, "utf8")).toBe("precious");
  },
);

test("a render ends with 75 and a line while another run has the state", async () => {
  using _lock = takeLock(stateDir, "site");
  const { status, stderr } = await run(first);
  expect(status).toBe(75);
  expect(stderr).toMatch(/^Cannot use [^\n]+: another run is using it[^\n]*\n$/);
});

test("a render that was killed leaves a folder that the next one takes", async () => {
  const out = join(tempFolder("killed"), "dist");
  const { child, finished } = begin(out);
  await expect.poll(() => existsSync(join(out, "build.json.unfinished"))).toBe(true);
  child.kill("SIGKILL");
  await finished;
  writeFileSync(join(out, "index.html"), "half");
  expect(await run(out)).toMatchObject({ status: 0, stderr: "" });
});
