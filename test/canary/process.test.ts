/**
 * The credential is in no environment and no command line that other programs can read: not of servers, and not of what runs
 * while a theme renders.
 */
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CANARY } from "./canary.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { folderWith, run, start, startServer, tempFolder } from "../support/run/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const LINUX = process.platform === "linux";
const why = LINUX ? "" : " (skipped: this system has no /proc)";

const tokenFile = join(tempFolder("token"), "token");
writeFileSync(tokenFile, `${CANARY}\n`);
const emptyFile = `${tokenFile}-empty`;
writeFileSync(emptyFile, "\n");

/** What a process was started with, as the system shows it. */
const shown = (pid: number): string =>
  ["environ", "cmdline"].map((name) => readFileSync(`/proc/${pid}/${name}`, "latin1")).join("");

test.skipIf(!LINUX).each([
  ["serve", ["--token", CANARY, "--port", "0"], {}],
  ["serve", [`--token=${CANARY}`, "--port", "0"], {}],
  ["serve", ["--token-file", tokenFile, "--port", "0"], {}],
  ["serve", ["--port", "0"], { QUOTES_TOKEN: CANARY }],
  ["relay", ["--port", "0"], { QUOTES_TOKEN: CANARY, QUOTES_BASE_URL: "https://quotes.example" }],
])(`npm run %s %j is not seen to hold it${why}`, async (script, options, env) => {
  const { url, pid, stop } = await startServer(script, options, env);
  expect(shown(pid)).not.toContain(CANARY);
  if (script === "serve") {
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${url}/apiv1/quotes/`, { headers })).status;
    expect(await status({})).toBe(401);
    expect(await status({ Authorization: `Token ${CANARY}` })).toBe(200);
  }
  await stop();
});

test.each([
  ["together with QUOTES_TOKEN", { QUOTES_TOKEN_FILE: tokenFile, QUOTES_TOKEN: CANARY }],
  ["when it holds the credential itself", { QUOTES_TOKEN_FILE: CANARY, QUOTES_TOKEN: "" }],
  ["when it is empty", { QUOTES_TOKEN_FILE: emptyFile, QUOTES_TOKEN: "" }],
])("QUOTES_TOKEN_FILE is refused %s", async (_, env) => {
  const { status, stderr } = await run("export", ["--state", tempFolder("state")], env);
  expect({ status, stderr }).toEqual({
    status: 78,
    stderr: expect.stringMatching(/^Cannot use QUOTES_TOKEN_FILE: [^\n]+\n$/) as string,
  });
  expect(stderr).not.toContain(CANARY);
});

test.each([
  [["--max-wait", CANARY], {}, 64],
  [[`--${CANARY}`], {}, 64],
  [["--base-url", CANARY], {}, 64],
  [[], { QUOTES_PLAN: CANARY }, 78],
  [[], { QUOTES_TOKEN: "", QUOTES_TOKEN_FILE: tokenFile, QUOTES_PLAN: CANARY }, 78],
  [[], { QUOTES_TOKEN: "", QUOTES_TOKEN_SCHEME: `Token ${CANARY}` }, 78],
] as const)("a credential in a wrong place is not printed: %j %j", async (args, more, expected) => {
  const env = { QUOTES_TOKEN: CANARY, ...more };
  const { status, stdout, stderr } = await run("harvest", [...args, "--json"], env);
  expect(status).toBe(expected);
  expect(stdout + stderr).not.toContain(CANARY);
});

/** Other tests use the common one at the same time, in processes of the same user. */
const SPIED = `${CANARY}-spied`;

/** Runs in each page: searches what is shown of every process of this user, and its own environment. */
const SPY = `---
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
const canary = Buffer.from(${JSON.stringify(Buffer.from(SPIED).toString("base64"))}, "base64").toString();
const own = new Set([${process.pid}, ${process.ppid}]);
const report = [];
for (const pid of readdirSync("/proc").filter((name) => /^\\d+$/.test(name) && !own.has(Number(name)))) {
  for (const name of ["environ", "cmdline"]) {
    try {
      if (readFileSync(\`/proc/\${pid}/\${name}\`, "latin1").includes(canary)) report.push(\`\${pid}/\${name}\`);
    } catch {}
  }
}
if (JSON.stringify(process.env).includes(canary)) report.push("process.env");
appendFileSync(SEEN, JSON.stringify({ report, parent: process.ppid }) + "\\n");
---
<p>spy</p>`;

test.skipIf(!LINUX)(
  `a theme finds it nowhere while pages are rendered${why}`,
  { tags: "long" },
  async () => {
    const folder = tempFolder("spy");
    const seen = join(folder, "seen.ndjson");
    const theme = folderWith(
      {
        "theme.css": "",
        "components/chrome/Masthead.astro": SPY.replace("SEEN", JSON.stringify(seen)),
      },
      join(folder, "spy-theme"),
    );
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const { stateDir } = makeSnapshot({ quotes: [{ id: 1 }, { id: 2 }] });
    const dirs = ["--state", stateDir, "--out", join(folder, "dist")];
    const { child, finished } = start("render", dirs, { QUOTES_TOKEN: SPIED, SITE_THEME: theme });
    const { status, stderr } = await finished;
    expect(status, stderr).toBe(0);
    const lines = readFileSync(seen, "utf8").trim().split("\n");
    // And not in the process that has the credential: in one that it started.
    for (const line of lines) expect(JSON.parse(line)).toEqual({ report: [], parent: child.pid });
  },
);
