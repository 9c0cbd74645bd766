/** A secret in a file that Vite shows to every page is refused before anything runs. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ConfigurationError } from "../../src/contract/errors.ts";
import { refuseSecretsInEnvFiles } from "../../src/themes/env-files.ts";
import { folderWith } from "../support/run/index.ts";

const SECRET = "s3cr3t-of-a-file";

const refusal = (files: Record<string, string>): string => {
  try {
    refuseSecretsInEnvFiles(folderWith(files));
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message;
  }
};

test.each([
  [".env", `QUOTES_TOKEN=${SECRET}`],
  [".env.local", `QUOTES_TOKEN = "${SECRET}"`],
  [".env.production", `export QUOTES_TOKEN='${SECRET}'`],
  [
    ".env.production.local",
    `# a comment\nSITE_URL=https://a.example\nQUOTES_TOKEN=${SECRET} # why`,
  ],
  [".env.development", `QUOTES_TOKEN=\`${SECRET}\``],
  [".env.staging", `\r\nQUOTES_TOKEN=${SECRET}\r\n`],
])("refuseSecretsInEnvFiles() refuses %s with %j", (name, text) => {
  const message = refusal({ [name]: text });
  expect(message).toContain(`${name}: it sets QUOTES_TOKEN,`);
  expect(message).toContain("QUOTES_TOKEN_FILE");
  expect(message).not.toContain(SECRET);
});

test.each([
  [".env", "SITE_URL=https://a.example\nQUOTES_TOKEN="],
  [".env", "QUOTES_TOKEN_FILE=/run/secrets/quotes"],
  [".env", "# QUOTES_TOKEN=no longer"],
  ["env.local", `QUOTES_TOKEN=${SECRET}`],
])("refuseSecretsInEnvFiles() accepts %s with %j", (name, text) => {
  expect(refusal({ [name]: text })).toBe("");
});

test("a folder .env is no file of variables", () => {
  const root = folderWith({});
  mkdirSync(join(root, ".env"));
  expect(() => refuseSecretsInEnvFiles(root)).not.toThrow();
});

const ROOT = join(import.meta.dirname, "../..");
const IGNORES = spawnSync("git", ["rev-parse"], { cwd: ROOT }).status === 0;
const why = IGNORES ? "" : " (skipped: no checkout of git)";
test.skipIf(!IGNORES)(`git ignores every file that may hold a credential${why}`, () => {
  const names = [".env", ".env.local", ".env.production", ".env.production.local"];
  const { stdout } = spawnSync("git", ["check-ignore", ...names], { cwd: ROOT, encoding: "utf8" });
  expect(stdout.trim().split("\n")).toEqual(names);
});
