import { expect, test } from "vitest";
import { fitText } from "../../src/images/og/fit.ts";
import { FACES, inkOf, TooLarge } from "../../src/images/og/set.ts";
import { shorten } from "../../src/images/og/text.ts";

const SETTING = { face: FACES.latin, language: { tag: "en", dir: "ltr" } } as const;
const SIZES = [80, 40, 20];
const LONG = "Whoever waits at the ford hears every river. ".repeat(20).trim();

test("a text that is too long in every size is shortened in the smallest", async () => {
  const space = { width: 400, height: 60 };
  const { text, size, measure } = await fitText(LONG, SETTING, SIZES, space);
  expect(size).toBe(20);
  expect(text).toMatch(/^Whoever waits at .*…$/);
  const { width, height } = await inkOf({ ...SETTING, text, size, measure });
  expect(width).toBeLessThanOrEqual(400);
  expect(height).toBeLessThanOrEqual(60);
});

test("as little as one letter is shown, and less is refused", async () => {
  const text = shorten(LONG, 1);
  const { width, height } = await inkOf({ ...SETTING, text, size: 20, measure: 20_000 });
  const space = { width: width + 4, height };
  expect(await fitText(LONG, SETTING, SIZES, space)).toMatchObject({ text, size: 20 });
  await expect(fitText(LONG, SETTING, SIZES, { width: 3, height })).rejects.toThrow(TooLarge);
});
