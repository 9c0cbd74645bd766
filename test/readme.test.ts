/** The README opens with the two lines that must work, and stays short. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");

test("the README opens with the two lines that make and test a site", () => {
  const block = /```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  expect(block.trim().split("\n")).toEqual(["npm ci && npm run build", "npm ci && npm test"]);
  expect(readme.indexOf("```sh")).toBeLessThan(1_500);
});
