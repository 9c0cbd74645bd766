import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { encodePicture, type EncodedPicture } from "../../../src/images/encode.ts";
import { quarters, turned } from "../support/made-pictures.ts";

function only(picture: EncodedPicture, type: string, density: number): Uint8Array {
  const variant = picture.variants.find((v) => v.type === type && v.density === density);
  if (variant === undefined) throw new Error(`no ${type} at ${density}`);
  return variant.bytes;
}

/** The strongest of red, green and blue at a place given in shares of the size; `white` where all are strong. */
async function colourAt(bytes: Uint8Array, x: number, y: number): Promise<string> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at =
    (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
  const pixel = [...data.subarray(at, at + 3)];
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
  expect(picture.variants.map(({ type, density }) => `${type} ${density}`)).toEqual([
    "image/avif 1",
    "image/avif 2",
    "image/webp 1",
    "image/webp 2",
  ]);
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

describe("encodePicture() leaves behind", () => {
  test("EXIF, profiles, comments", async () => {
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

  test("every frame but the first", async () => {
    const red = sharp({ create: { width: 160, height: 200, channels: 3, background: "#d00000" } });
    const blue = sharp({ create: { width: 160, height: 200, channels: 3, background: "#0000d0" } });
    const frames = [await red.png().toBuffer(), await blue.png().toBuffer()];
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const picture = await encodePicture(moving);
    expect(picture).toMatchObject({ width: 160, height: 200 });
    expect(await colourAt(only(picture, "image/webp", 1), 0.5, 0.5)).toBe("red");
  });
});

test("encodePicture() names the mean colour, and none where one could see through", async () => {
  const plain = sharp({ create: { width: 300, height: 300, channels: 3, background: "#336699" } });
  expect((await encodePicture(await plain.png().toBuffer())).colour).toBe("#336699");
  const grey = sharp({ create: { width: 300, height: 300, channels: 3, background: "#808080" } });
  expect((await encodePicture(await grey.grayscale().png().toBuffer())).colour).toBe("#808080");
  const clear = { r: 51, g: 102, b: 153, alpha: 0.5 };
  const glass = sharp({ create: { width: 300, height: 300, channels: 4, background: clear } });
  expect((await encodePicture(await glass.png().toBuffer())).colour).toBeNull();
});
