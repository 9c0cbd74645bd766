/** `npm run doctor` with a service, folders and settings that are good or bad, each for real. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startService } from "../../src/service/start.ts";
import { freePort } from "../support/http/index.ts";
import { folderWith, run, tempFolder } from "../support/run/index.ts";

const TOKEN = "doctor-secret-0123456789";

async function serviceWith(token: string | null): Promise<string> {
  const service = await startService({ token });
  onTestFinished(() => service.close());
  return service.url;
}

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly text: string;
}

async function look(env: Record<string, string>, ...args: string[]) {
  const folder = tempFolder("doctor");
  const folders = { STATE_DIR: join(folder, "state"), SITE_DIR: folderWith({}) };
  const at = ["--out", join(folder, "dist"), "--json", ...args];
  const { status, stdout, stderr } = await run("doctor", at, { ...folders, ...env });
  const { checks = [] } = JSON.parse(stdout) as { checks?: readonly Finding[] };
  const of = (name: string): string => {
    const { state = "", text = "" } = checks.find(({ check }) => check === name) ?? {};
    return `${state}: ${text}`;
  };
  return { status, of, checks, all: stdout + stderr };
}

test("doctor finds nothing bad where all is well, with one request, and writes nothing", async () => {
  const url = await serviceWith(TOKEN);
  const { status, checks, of, all } = await look({
    QUOTES_BASE_URL: url,
    QUOTES_TOKEN: TOKEN,
    SITE_URL: "https://quotes.example",
  });
  expect(checks.filter(({ state }) => state === "bad")).toEqual([]);
  expect(status).toBe(0);
  expect(of("service")).toBe(`good: ${url} answers with 1 quote`);
  expect(of("credential")).toContain("note: is set, so voting is off: run the relay");
  expect(all).not.toContain(TOKEN);
});

test.each<[string, number, string, RegExp, () => Promise<Record<string, string>>]>([
  [
    "a credential that the service refuses",
    78,
    "service",
    /^bad: .* 401.*QUOTES_TOKEN/,
    async () => ({ QUOTES_BASE_URL: await serviceWith(TOKEN), QUOTES_TOKEN: "wrong-secret-98765" }),
  ],
  [
    "a port that refuses",
    69,
    "service",
    /^bad: .*ECONNREFUSED.*; try again later$/,
    async () => ({ QUOTES_BASE_URL: `http://127.0.0.1:${await freePort()}` }),
  ],
  [
    "an address that is no service",
    78,
    "service",
    /^bad: .*404/,
    async () => ({ QUOTES_BASE_URL: `${await serviceWith(null)}/elsewhere` }),
  ],
  [
    "an own file with a mistake",
    78,
    "service",
    /^bad: Cannot load .*line 1: expected a header/,
    () => {
      const file = join(tempFolder("own"), "quotes.csv");
      writeFileSync(file, "a,b\nc,d\n");
      return Promise.resolve({ QUOTES_DATA: file });
    },
  ],
  [
    "a state where nothing can be written",
    74,
    "state",
    /^bad: .* cannot be written \(E\w+\): change its owner, or name another folder with --state$/,
    () => Promise.resolve({ STATE_DIR: unwritable() }),
  ],
  [
    "a host without an address",
    78,
    "host",
    /^bad: netlify: .*set SITE_URL/,
    () => Promise.resolve({ SITE_HOST: "netlify" }),
  ],
  [
    "an address of another host",
    78,
    "host",
    /^bad: https:\/\/me\.github\.io is of github-pages, and host is netlify$/,
    () => Promise.resolve({ SITE_HOST: "netlify", SITE_URL: "https://me.github.io" }),
  ],
  [
    "a clock that is years behind",
    78,
    "clock",
    /^bad: it says 2020-01-01, before this program was written; set it$/,
    () => Promise.resolve({ SITE_NOW: "2020-01-01T00:00:00Z" }),
  ],
])("doctor names %s, and ends with %i", async (_, status, check, text, prepare) => {
  const found = await look(await prepare());
  expect(found.of(check)).toMatch(text);
  expect(found.status).toBe(status);
  expect(found.all).not.toMatch(/secret-\d/);
});

/** A folder of the kernel, in which root cannot write either; elsewhere one without the right. */
function unwritable(): string {
  if (process.platform === "linux") return "/proc/self/doctor";
  const folder = join(tempFolder("closed"), "closed");
  mkdirSync(folder);
  chmodSync(folder, 0o500);
  return join(folder, "state");
}

test("doctor says what is missing without a service and without an address, and ends with 0", async () => {
  const { status, of } = await look({});
  expect(status).toBe(0);
  expect(of("service")).toMatch(/^note: none is named/);
  expect(of("host")).toMatch(/^note: .*set SITE_URL before you publish$/);
});
