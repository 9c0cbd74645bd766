import sharp from "sharp";
import { expect, test } from "vitest";
import { encodePicture, type EncodedPicture } from "../../../src/images/encode.ts";
import { quarters, turned } from "../support/made-pictures.ts";

function only(picture: EncodedPicture, type: string, density: number): Uint8Array {
  const variant = picture.variants.find((v) => v.type === type && v.density === density);
  if (variant === undefined) throw new Error(`no ${type} at ${density}`);
  return variant.bytes;
}

/** The strongest of red, green and blue at a place given in shares of the size; `white` where all are strong. */
async function colourAt(bytes: Uint8Array, x: number, y: number): Promise<string> {
  const { width = 0, height = 0 } = await sharp(bytes).metadata();
  const at = { left: Math.floor(x * width), top: Math.floor(y * height), width: 1, height: 1 };
  const pixel = [...(await sharp(bytes).removeAlpha().extract(at).raw().toBuffer())];
  if (Math.min(...pixel) > 180) return "white";
  return ["red", "green", "blue"][pixel.indexOf(Math.max(...pixel))] ?? "none";
}

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

/** Where the top left (red) and the top right (green) of what is stored are seen (Exif 2.3, tag 0x0112). */
const CORNERS: Readonly<Record<string, [number, number]>> = {
  "top left": [0.2, 0.2],
  "top right": [0.8, 0.2],
  "bottom left": [0.2, 0.8],
  "bottom right": [0.8, 0.8],
};

test.each([
  [1, "top left", "top right"],
  [2, "top right", "top left"],
  [3, "bottom right", "bottom left"],
  [4, "bottom left", "bottom right"],
  [5, "top left", "bottom left"],
  [6, "top right", "bottom right"],
  [7, "bottom right", "top right"],
  [8, "bottom left", "top left"],
])("encodePicture() applies orientation %i", async (orientation, red, green) => {
  const picture = await encodePicture(await turned(orientation));
  expect([picture.width, picture.height]).toEqual(orientation < 5 ? [192, 240] : [192, 154]);
  for (const type of ["image/avif", "image/webp"]) {
    const bytes = only(picture, type, 1);
    expect(await colourAt(bytes, ...(CORNERS[red] ?? [0, 0]))).toBe("red");
    expect(await colourAt(bytes, ...(CORNERS[green] ?? [0, 0]))).toBe("green");
  }
});

/** A picture of one colour. */
const plain = (background: string, side = 300, channels: 3 | 4 = 3) =>
  sharp({ create: { width: side, height: side, channels, background } }).png();

test("encodePicture() leaves EXIF, profiles and comments behind", async () => {
  const original = await quarters()
    .withExif({ IFD0: { Copyright: "an author", ImageDescription: "where I live" } })
    .withIccProfile("p3")
    .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'>secret</x:xmpmeta>")
    .jpeg()
    .toBuffer();
  expect((await sharp(original).metadata()).exif).toBeDefined();
  for (const { bytes } of (await encodePicture(original)).variants) {
    const { exif, icc, xmp, iptc, orientation } = await sharp(bytes).metadata();
    expect({ exif, icc, xmp, iptc, orientation }).toEqual({});
    expect(Buffer.from(bytes).includes("an author")).toBe(false);
  }
});

test("encodePicture() takes the first frame alone", async () => {
  const frames = [await plain("#d00000", 160).toBuffer(), await plain("#0000d0", 160).toBuffer()];
  const moving = sharp(frames, { join: { animated: true } }).gif();
  const picture = await encodePicture(await moving.toBuffer());
  expect(picture).toMatchObject({ width: 160, height: 160 });
  expect(await colourAt(only(picture, "image/webp", 1), 0.5, 0.5)).toBe("red");
});

test.each([
  ["the mean colour", plain("#336699"), "#336699"],
  ["the mean grey", plain("#808080").grayscale(), "#808080"],
  ["no colour where a reader sees through", plain("#33669980", 300, 4), null],
])("encodePicture() names %s", async (_, picture, colour) => {
  expect((await encodePicture(await picture.toBuffer())).colour).toBe(colour);
});
