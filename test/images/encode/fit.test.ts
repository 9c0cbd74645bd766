import fc from "fast-check";
import { expect, test } from "vitest";
import { fitThumbnail } from "../../../src/images/recipe.ts";

test.each([
  ["a portrait fills the box", [2_400, 3_000], [192, 240], [384, 480, 2]],
  ["a landscape is as wide as the box", [3_000, 2_000], [192, 128], [384, 256, 2]],
  ["what is small stays as it is", [140, 175], [140, 175], null],
  ["a little more than the box gives no second variant", [230, 288], [192, 240], null],
  ["too small for twice", [290, 358], [192, 237], [290, 358, 1.51]],
  ["a strip loses its ends", [2_400, 160], [192, 96], [320, 160, 1.67]],
  ["a tower loses its ends", [100, 5_000], [100, 200], null],
])("fitThumbnail(): %s", (_, [width = 0, height = 0], plain, dense) => {
  const fit = fitThumbnail({ width, height });
  expect([fit.plain.width, fit.plain.height]).toEqual(plain);
  const { dense: found } = fit;
  expect(found === null ? null : [found.width, found.height, found.density]).toEqual(dense);
});

test("fitThumbnail() stays within its box, never enlarges, never vanishes", () => {
  const side = fc.integer({ min: 1, max: 20_000 });
  fc.assert(
    fc.property(side, side, (width, height) => {
      const { plain, dense } = fitThumbnail({ width, height });
      for (const size of [plain, dense ?? plain]) {
        expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(1);
        expect(size.width).toBeLessThanOrEqual(Math.min(384, width));
        expect(size.height).toBeLessThanOrEqual(Math.min(480, height));
      }
      expect(plain.width).toBeLessThanOrEqual(192);
      expect(plain.height).toBeLessThanOrEqual(240);
    }),
  );
});
