import sharp from "sharp";
import { expect, test } from "vitest";
import { encodePicture } from "../../../src/images/encode.ts";
import { quarters } from "../support/made-pictures.ts";

test("encodePicture() makes AVIF and WebP, plain and at twice the pixels", async () => {
  const picture = await encodePicture(await quarters().jpeg().toBuffer());
  expect(picture).toMatchObject({ width: 192, height: 240 });
  for (const variant of picture.variants) {
    const found = await sharp(variant.bytes).metadata();
    expect(found.mediaType).toBe(variant.type);
    expect([found.width, found.height]).toEqual([variant.width, variant.height]);
    expect(variant.width).toBe(192 * variant.density);
  }
  const made = picture.variants.map(({ type, density }) => `${type} ${density}`);
  expect(made).toEqual(["image/avif 1", "image/avif 2", "image/webp 1", "image/webp 2"]);
});

const plain = (background: string, side = 300, channels: 3 | 4 = 3) =>
  sharp({ create: { width: side, height: side, channels, background } }).png();

test.each([
  ["the mean colour", plain("#336699"), "#336699"],
  ["the mean grey", plain("#808080").grayscale(), "#808080"],
  ["no colour where a reader sees through", plain("#33669980", 300, 4), null],
])("encodePicture() names %s", async (_, picture, colour) => {
  expect((await encodePicture(await picture.toBuffer())).colour).toBe(colour);
});
