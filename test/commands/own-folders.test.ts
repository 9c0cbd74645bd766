/** Commands write to folders that are empty or that a build made, follow no link in them, and take turns. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { start, tempFolder } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const { stateDir } = makeSnapshot({ quotes: [{ id: 1 }, { id: 2 }, { id: 3 }] });

interface How {
  readonly script?: string;
  readonly state?: string;
  readonly options?: readonly string[];
}

const begin = (out: string, { script = "render", state = stateDir, options = [] }: How = {}) =>
  start(script, ["--state", state, "--out", out, "--quiet", ...options]);

const run = (out: string, how?: How) => begin(out, how).finished;

/** A folder of another project: its pages, some of them where no site has any. */
function foreign(): string {
  const folder = tempFolder("foreign");
  for (const file of ["notes.txt", "old.html", "sub/page.html", ...KEPT]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "precious");
  }
  return folder;
}
const KEPT = [".git/hooks.html", "node_modules/package/index.html", "sub/.hidden/page.html"];

const first = join(tempFolder("first"), "dist");
beforeAll(async () => {
  expect(await run(first)).toMatchObject({ status: 0, stderr: "" });
});

test("--out never takes the project, adopted or not", async () => {
  for (const options of [[], ["--adopt"]]) {
    const { status, stderr } = await run(ROOT, { options });
    expect(status).toBe(78);
    expect(stderr).toMatch(/^Cannot use --out [^\n]+\n$/);
  }
});

test.each(["build", "render", "merge"])(
  "npm run %s refuses a folder that no build made",
  async (script) => {
    const out = foreign();
    const before = readdirSync(out, { recursive: true });
    const { status, stderr } = await run(out, { script });
    expect(status).toBe(78);
    expect(stderr).toMatch(/^Cannot use --out [^\n]+--adopt[^\n]*\n$/);
    expect(readdirSync(out, { recursive: true })).toEqual(before);
  },
);

test("a build.json of another program does not make a folder ours", async () => {
  const out = foreign();
  writeFileSync(join(out, "build.json"), '{"name":"theirs"}');
  expect((await run(out)).status).toBe(78);
  expect(readFileSync(join(out, "build.json"), "utf8")).toContain("theirs");
});

test("--adopt takes a folder over, says what it removed, and is needed once", async () => {
  const out = foreign();
  // Of a state that nothing is known of yet, as after one was lost.
  const state = tempFolder("adopt");
  cpSync(stateDir, state, { recursive: true });
  const { status, stdout } = await run(out, { state, options: ["--adopt"] });
  expect(status).toBe(0);
  expect(stdout).toMatch(/ 2 removed/);
  for (const file of ["old.html", "sub/page.html"]) expect(existsSync(join(out, file))).toBe(false);
  for (const file of ["notes.txt", ...KEPT]) {
    expect(readFileSync(join(out, file), "utf8")).toBe("precious");
  }
  expect(await run(out, { state })).toMatchObject({ status: 0, stderr: "" });
});

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

test("of two renders at once in one state one ends with 75 and a line", async () => {
  const out = join(tempFolder("twice"), "dist");
  const ended = await Promise.all([run(out), run(out)]);
  const [done, refused] = ended.sort((a, b) => (a.status ?? 0) - (b.status ?? 0));
  expect(done).toMatchObject({ status: 0, stderr: "" });
  expect(refused?.status).toBe(75);
  expect(refused?.stderr).toMatch(/^Cannot use [^\n]+: another run is using it[^\n]*\n$/);
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
