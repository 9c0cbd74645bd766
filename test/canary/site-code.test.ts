/**
 * No code of the site's owner runs in a process that knows the credential: what it spies there is empty, and what a harvest
 * loads is listed.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CANARY } from "./canary.ts";
import { answer, collectionOf } from "../support/service/index.ts";
import { type FaultServer, json, startFaultServer } from "../support/http/index.ts";
import { folderWith, start, startServer, tempFolder } from "../support/run/index.ts";
import { inTiers } from "../support/tier.ts";

const folder = tempFolder("site-code");
const seen = join(folder, "seen");
const tokenFile = join(folder, "token");
writeFileSync(tokenFile, CANARY);

/** Writes down its environment and its parent's, and every header that its process sends. */
const SPY = `
import { appendFileSync, readFileSync } from "node:fs";
import { subscribe } from "node:diagnostics_channel";
const note = (text: string): void => appendFileSync(${JSON.stringify(seen)}, text + "\\n");
note("read " + JSON.stringify(process.env));
try { note(readFileSync("/proc/" + process.ppid + "/environ", "latin1")); } catch {}
for (const name of ["undici:client:sendHeaders", "undici:request:create", "http.client.request.start"]) {
  subscribe(name, (message: any) => note(String(message.headers ?? JSON.stringify(message.request?.headers))));
}
console.log("said by the site");
export default { title: "Spied upon" };
`;
const site = folderWith({ "config.ts": SPY }, join(folder, "site"));

let service: FaultServer;
beforeAll(async () => {
  service = await startFaultServer(({ url }) => json(answer(collectionOf(30), url, { cap: 20 })));
});
afterAll(() => service.close());

const spied = (): string => (existsSync(seen) ? readFileSync(seen, "utf8") : "");

test.each([
  ["QUOTES_TOKEN", { QUOTES_TOKEN: CANARY }],
  ["QUOTES_TOKEN_FILE", { QUOTES_TOKEN_FILE: tokenFile }],
])("site/config.ts neither reads nor hears the credential of %s in a harvest", async (_, given) => {
  writeFileSync(seen, "");
  const env = { ...given, QUOTES_BASE_URL: service.url, SITE_DIR: site };
  const args = ["--state", tempFolder("state"), "--json"];
  const { status, stdout, stderr } = await start("harvest", args, env).finished;
  expect(status, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ quotes: 30 });
  expect(service.journal.at(-1)?.headers.authorization).toBe(`Token ${CANARY}`);
  expect(stderr).toContain("said by the site");
  expect(spied()).toContain("read {}\n");
  expect(spied()).not.toContain(CANARY);
  expect(spied().toLowerCase()).not.toContain("authorization");
});

test("site/config.ts does not read the credential of a relay or an audit, and both use its settings", async () => {
  writeFileSync(seen, "");
  const env = { QUOTES_TOKEN: CANARY, QUOTES_BASE_URL: service.url, SITE_DIR: site };
  const { output, stop } = await startServer("relay", ["--port", "0"], env);
  expect(output()).toContain("Relaying votes");
  await stop();
  const dirs = ["--state", tempFolder("state"), "--out", tempFolder("out")];
  expect((await start("audit", dirs, env).finished).status).toBe(64);
  expect(spied().match(/^read \{\}$/gm)).toHaveLength(2);
  expect(spied()).not.toContain(CANARY);
});

for (const { cases, options } of inTiers<[string, string, string]>(
  [
    ["throws", 'throw new Error("broken");', "config.ts:1: broken"],
    ["ends its process", "process.exit(3);", "its process ended with 3"],
    ["never ends", "await new Promise(() => {});", "its process ended with 0"],
    ["is no object", "export default 5;", "expected an object of settings"],
    ["has a function", "export default { title: () => 1 };", "Cannot use title of"],
    ["has an unknown key", "export default { titel: 1 };", 'did you mean "title"?'],
    [
      "answers falsely",
      "process.send?.({ config: { title: 7 } }); await new Promise(() => {});",
      "Cannot use title of",
    ],
  ],
  2,
))
  test.each(cases)(
    "a site/config.ts that %s is a mistake of the configuration beside a credential",
    options,
    async (_, text, message) => {
      const SITE_DIR = folderWith({ "config.ts": text });
      const env = { SITE_DIR, QUOTES_TOKEN: CANARY, QUOTES_BASE_URL: service.url };
      const { status, stderr } = await start("harvest", ["--state", tempFolder("state")], env)
        .finished;
      expect({ status, stderr }).toEqual({
        status: 78,
        stderr: expect.stringContaining(message) as string,
      });
      expect(stderr.trim().split("\n")).toHaveLength(1);
    },
  );

/** Packages that a harvest loads: for HTTP, settings, the command line, the folder of the site, and its report. */
const NEEDED = new Set([
  ...["undici", "p-retry", "is-network-error", "zod", "commander", "entities"],
  ...["fastest-levenshtein", "yaml", "ipaddr.js", "listr2", "http-cache-semantics", "p-limit"],
  ...["yocto-queue", "fast-xml-builder", "path-expression-matcher", "xml-naming"],
]);

/** Every module that a command loads in its own process, from its first. */
async function modulesOf(command: string, args: string[], env: NodeJS.ProcessEnv) {
  const list = join(tempFolder("modules"), "list");
  const hook = `import { registerHooks } from "node:module"; import { appendFileSync } from "node:fs";
    registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(list)}, process.pid + " " + url + "\\n"); return next(url, context); } });`;
  const file = join(folder, "list.mjs");
  writeFileSync(file, hook);
  const NODE_OPTIONS = `--import=${pathToFileURL(file).href}`;
  const { child, finished } = start(command, args, { ...env, NODE_OPTIONS });
  const { status, stderr } = await finished;
  expect(status, stderr).toBe(0);
  const lines = readFileSync(list, "utf8").trim().split("\n");
  const own = lines.filter((line) => line.startsWith(`${child.pid} file:`));
  return own.map((line) => decodeURI(new URL(line.split(" ")[1] ?? "").pathname));
}

const packageOf = (path: string): string =>
  /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? "";

test.each([[[]], [["--pictures"]]])(
  "a harvest with %j loads no code of the site, and only the packages it needs",
  async (more) => {
    const env = { QUOTES_TOKEN: CANARY, QUOTES_BASE_URL: service.url, SITE_DIR: site };
    const dirs = ["--state", tempFolder("state"), "--out", join(tempFolder("out"), "dist")];
    const modules = await modulesOf("harvest", [...dirs, ...more], env);
    expect(modules.some((path) => path.endsWith("/src/client/client.ts"))).toBe(true);
    expect(modules.filter((path) => path.startsWith(site))).toEqual([]);
    expect(
      modules.filter((path) => /\/astro\.config\.|\/src\/(?:render|search)\//.test(path)),
    ).toEqual([]);
    const packages = new Set(modules.map(packageOf).filter((name) => name !== ""));
    const decoders = more.length === 0 ? [] : ["sharp", "tinypool", "detect-libc", "semver"];
    const known = NEEDED.union(new Set(decoders));
    expect([...packages.difference(known)]).toEqual([]);
  },
);

test(
  "a build with a credential loads neither Astro nor the site in its own process",
  { tags: "long" },
  async () => {
    const env = {
      ...{ QUOTES_TOKEN: CANARY, QUOTES_BASE_URL: service.url, SITE_DIR: site, SITE_CARDS: "0" },
      SITE_URL: "https://quotes.example",
    };
    const dirs = ["--state", tempFolder("state"), "--out", join(tempFolder("out"), "dist")];
    const modules = await modulesOf("build", dirs, env);
    expect(modules.filter((path) => path.startsWith(site))).toEqual([]);
    expect(modules.filter((path) => /\/astro\.config\./.test(path))).toEqual([]);
    const packages = modules.map(packageOf);
    for (const name of ["astro", "vite", "rolldown"]) expect(packages).not.toContain(name);
  },
);
