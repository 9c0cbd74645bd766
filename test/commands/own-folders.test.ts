/** Commands write to folders that are empty or that a build made, follow no link in them, and take turns. */
// @module-tag long
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { readCommandLine } from "../../src/commands/command-line.ts";
import { commandOf } from "../../src/commands/commands.ts";
import { withOwnFolders } from "../../src/commands/own-folders.ts";
import { StateInUse } from "../../src/contract/errors.ts";
import { readSettings } from "../../src/settings/settings.ts";
import { takeLock } from "../../src/snapshot/lock.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { WAIT_MS } from "../support/vitest/limits.ts";
import {
  CAN_LINK,
  type Finished,
  folderWith,
  run,
  start,
  tempFolder,
} from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const { stateDir } = makeSnapshot({ quotes: [{ id: 1 }, { id: 2 }, { id: 3 }] });

const KEPT = [".git/hooks.html", "node_modules/package/index.html", "sub/.hidden/page.html"];

const FOREIGN = ["notes.txt", "old.html", "sub/page.html", ...KEPT];

/** A folder of another project: its pages, some of them where no site has any. */
const foreign = () => folderWith(Object.fromEntries(FOREIGN.map((file) => [file, "precious"])));

/** Where the first run finds the pages of another project. */
const site = foreign();
const shared = tempFolder("shared");
let finished: Finished;
beforeAll(async () => {
  const render = (...options: readonly string[]) => {
    const args = ["--state", stateDir, "--out", site, "--quiet", ...options];
    return start("render", args, { TMPDIR: shared });
  };
  const killed = render("--adopt");
  const hasBegun = () => expect(existsSync(join(site, "build.json.unfinished"))).toBe(true);
  await vi.waitFor(hasBegun, { timeout: WAIT_MS });
  killed.child.kill("SIGKILL");
  await killed.finished;
  finished = await render().finished;
});

test("--adopt takes a folder over, is needed once, also where that render was killed, and keeps what no build made", () => {
  expect(finished).toMatchObject({ status: 0, stderr: "" });
  expect(finished.stdout).toMatch(/ 2 removed/);
  for (const file of ["old.html", "sub/page.html"])
    expect(existsSync(join(site, file))).toBe(false);
  for (const file of ["notes.txt", ...KEPT])
    expect(readFileSync(join(site, file), "utf8")).toBe("precious");
});

test("a render keeps no compiled code in the temporary folder, which all users share", () => {
  expect(readdirSync(shared)).toEqual([]);
});

test("a render without a snapshot says so, and begins no site", async () => {
  const folder = tempFolder("none");
  const out = join(folder, "dist");
  const args = ["--state", join(folder, "state"), "--out", out, "--quiet"];
  expect(await run("render", args)).toMatchObject({
    status: 75,
    stderr: expect.stringMatching(/no snapshot is there; run "npm run harvest" first\n$/) as string,
  });
  expect(existsSync(out)).toBe(false);
});

/** Takes the folders of a command, as the program does before it begins. */
async function take(command: string, folders: { state?: string; out: string }, ...more: string[]) {
  const { state = stateDir, out } = folders;
  const request = readCommandLine([command, "--state", state, "--out", out, ...more]);
  if (request.kind !== "run") throw new Error("the command line asks for no work");
  const { writes = "nothing" } = commandOf(request.command);
  await withOwnFolders(readSettings(request.options, {}), writes, () => Promise.resolve());
}

test("a state with nothing but the caches of Astro and Vite, as npm run check leaves it, is taken", async () => {
  const out = tempFolder("out");
  const checked = folderWith({ "cache/astro/data-store.json": "{}", "cache/vite/deps/a.js": "" });
  await take("build", { state: checked, out });
  for (const foreign of [{ "cache/notes.txt": "" }, { "cache/astro/a": "", "notes.txt": "" }]) {
    const state = folderWith(foreign);
    await expect(take("build", { state, out })).rejects.toThrow("files that no build made");
  }
  const file = folderWith({ cache: "precious" });
  await expect(take("build", { state: file, out })).rejects.toThrow("files that no build made");
});

const refusal = (exitStatus: number, message: RegExp): unknown =>
  expect.objectContaining({ exitStatus, message: expect.stringMatching(message) as string });

test("withOwnFolders() takes the folder of a finished site again", async () => {
  await expect(take("render", { out: site })).resolves.toBeUndefined();
});

test.each([[[]], [["--adopt"]]])("withOwnFolders() never takes the project: %j", async (more) => {
  const taken = take("render", { out: ROOT }, ...more);
  await expect(taken).rejects.toEqual(refusal(78, /^Cannot use --out [^\n]+$/));
});

test.each(["build", "render", "merge"])(
  "%s refuses a folder that no build made, and whose build.json is another program's",
  async (command) => {
    const out = foreign();
    writeFileSync(join(out, "build.json"), '{"name":"theirs"}');
    const before = readdirSync(out, { recursive: true });
    const taken = take(command, { out });
    await expect(taken).rejects.toEqual(refusal(78, /^Cannot use --out [^\n]+--adopt[^\n]*$/));
    expect(readdirSync(out, { recursive: true })).toEqual(before);
    expect(readFileSync(join(out, "build.json"), "utf8")).toContain("theirs");
  },
);

test.each(["build", "render", "merge", "harvest", "plan", "dev"])(
  "%s refuses a state that no run made",
  async (command) => {
    const state = foreign();
    const taken = take(command, { state, out: join(tempFolder("out"), "dist") });
    await expect(taken).rejects.toEqual(refusal(78, /^Cannot use --state [^\n]+$/));
    expect(existsSync(join(state, "lock"))).toBe(false);
  },
);

test.each([
  ["render", "state"],
  ["render", "out"],
  ["audit", "state"],
])("%s refuses a file as --%s, or above it, and names it", async (command, name) => {
  const file = join(foreign(), "notes.txt");
  for (const [folder, what] of [
    [file, "it"],
    [join(file, "a/b"), file],
  ] as const) {
    const taken = take(command, { out: site, [name]: folder }, "--adopt");
    const message = `Cannot use --${name} ${folder}: ${what} is a file; name a folder`;
    await expect(taken).rejects.toEqual(refusal(78, new RegExp(`^${RegExp.escape(message)}$`)));
  }
});

test("withOwnFolders() refuses a state that lies in the site", async () => {
  const taken = take("render", { out: stateDir }, "--adopt");
  await expect(taken).rejects.toEqual(refusal(78, /would be published/));
});

test.skipIf(!CAN_LINK).each(["a#b", "a?b", "a%b"])(
  "withOwnFolders() refuses to render into %s",
  async (name) => {
    const folder = join(tempFolder("out"), name);
    mkdirSync(folder);
    const link = join(tempFolder("link"), "dist");
    symlinkSync(folder, link);
    for (const out of [folder, link]) {
      await expect(take("build", { out })).rejects.toEqual(
        refusal(78, /^Cannot render in [^\n]+$/),
      );
    }
  },
);

test.skipIf(!CAN_LINK)("withOwnFolders() refuses a site with a link to a folder", async () => {
  const out = foreign();
  symlinkSync(foreign(), join(out, "tags"));
  const taken = take("render", { out }, "--adopt");
  await expect(taken).rejects.toEqual(refusal(74, /^Cannot use [^\n]+tags: it is a link[^\n]*$/));
});

test
  .skipIf(!CAN_LINK)
  .each(["work.sqlite", "current.unfinished", "history.ndjson.unfinished", "thumbnails"])(
  "withOwnFolders() refuses a state with a link %s",
  async (name) => {
    const state = tempFolder("linked-state");
    writeFileSync(join(state, "lock"), "");
    symlinkSync(join(foreign(), "notes.txt"), join(state, name));
    for (const command of ["build", "plan"]) {
      const taken = take(command, { state, out: join(tempFolder("out"), "dist") });
      await expect(taken).rejects.toEqual(refusal(74, /^Cannot use [^\n]+: it is a link[^\n]*$/));
    }
  },
);

test("withOwnFolders() refuses a state of which another run makes a site", async () => {
  using _lock = takeLock(stateDir, "site");
  const taken = take("render", { out: site });
  await expect(taken).rejects.toEqual(
    refusal(75, /^Cannot use [^\n]+: another run is using it[^\n]*$/),
  );
});

const lockable = (): Parameters<typeof withOwnFolders>[0] => {
  const settings = readSettings(
    { STATE_DIR: tempFolder("one"), out: join(tempFolder("two"), "dist") },
    {},
  );
  return settings;
};

test("two states do not write to one output folder at the same time, and do afterwards", async () => {
  const first = lockable();
  const second = { ...first, stateDir: tempFolder("other") };
  await withOwnFolders(first, "site", async () => {
    await expect(withOwnFolders(second, "site", () => Promise.resolve("wrote"))).rejects.toThrow(
      new StateInUse(`Cannot use --out ${first.outDir}: another run is making a site there`),
    );
    const elsewhere = { ...second, outDir: `${first.outDir}-2` };
    expect(await withOwnFolders(elsewhere, "site", () => Promise.resolve("wrote"))).toBe("wrote");
  });
  expect(await withOwnFolders(second, "site", () => Promise.resolve("wrote"))).toBe("wrote");
});

test.each(['a"b', "a*b", "a#b", "a?b", "a%b"])(
  "an output folder %s is refused by name",
  async (name) => {
    const settings = { ...lockable(), outDir: join(tempFolder("odd"), name) };
    await expect(withOwnFolders(settings, "site", () => Promise.resolve())).rejects.toThrow(
      `Cannot render in ${settings.outDir}: Astro cannot use a path with`,
    );
  },
);

const FIFOS = spawnSync("mkfifo", ["--version"]).error === undefined;
test.skipIf(!FIFOS).each(["nothing", "state", "site"] as const)(
  "a command that writes %s refuses a state with a pipe instead of waiting for it",
  async (writes) => {
    const settings = lockable();
    folderWith({ lock: "" }, settings.stateDir);
    spawnSync("mkfifo", [join(settings.stateDir, "history.ndjson")]);
    await expect(withOwnFolders(settings, writes, () => Promise.resolve())).rejects.toThrow(
      "history.ndjson: it is neither a file nor a folder; remove it",
    );
  },
);
