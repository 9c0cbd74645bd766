import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { explainFailure } from "../../src/commands/render-errors.ts";
import { CAN_LINK, folderWith, tempFolder } from "../support/run/index.ts";

test.skipIf(!CAN_LINK).each(["By.astro", "look.scss", "shops.json"])(
  "a mistake in %s of a linked theme names it",
  (file) => {
    const theme = folderWith({ [file]: "" });
    const link = join(tempFolder("fork"), "theme");
    symlinkSync(theme, link);
    const failure = new Error("no such name");
    failure.stack = `Error: no such name\n    at ${join(theme, file)}:3:1`;
    const { name, message } = explainFailure(failure, "/project", [link]) as Error;
    expect([name, message]).toEqual([
      "ConfigurationError",
      expect.stringMatching(new RegExp(`^Cannot render .*${file}:3: no such name$`)),
    ]);
  },
);

test("a mistake that Astro tells in a list is told with it", () => {
  const failure = Object.assign(new Error("These are invalid:\n\n- KEY is missing\n"), {
    type: "AstroError",
  });
  const { message } = explainFailure(failure, "/project", []) as Error;
  expect(message).toBe("Cannot render: These are invalid: - KEY is missing");
});
