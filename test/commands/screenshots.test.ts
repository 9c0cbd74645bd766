/** Screenshots of a variant: rendered from a copy of the state, which stays as it was. */
// @module-tag long
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { pictureVariant } from "../../src/commands/variant-pictures.ts";
import { readSettings } from "../../src/settings/settings.ts";
import { useBrowser } from "../support/browser/index.ts";
import { makeSite } from "../support/site/index.ts";
import { makeSnapshot } from "../support/snapshot/index.ts";
import { tempFolder } from "../support/run/index.ts";

const browser = useBrowser();

test("pictureVariant takes every page in two widths and schemes, and leaves the state alone", async () => {
  const { stateDir } = makeSnapshot({ quotes: [{ id: 1, language: "en" }] });
  makeSite([], { stateDir }).close();
  const before = readdirSync(stateDir).sort();
  const settings = readSettings({ STATE_DIR: stateDir }, {});
  const into = tempFolder("pictures");
  const signal = new AbortController().signal;
  const variant = { theme: "press", language: "en" };
  const taken = await pictureVariant(settings, variant, { browser: browser(), into, signal });
  const files = readdirSync(join(into, "press"));
  expect(taken).toBe(28);
  expect(files).toHaveLength(28);
  const { width, height } = await sharp(join(into, "press/en-home-320-dark.png")).metadata();
  expect([width, height]).toEqual([320, 1400]);
  // A blank page compresses to far less.
  expect(statSync(join(into, "press/en-home-1280-light.png")).size).toBeGreaterThan(10_000);
  expect(readdirSync(stateDir).sort()).toEqual(before);
});
