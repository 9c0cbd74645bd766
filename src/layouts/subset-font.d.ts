/** The package comes without types; this is what is used of it. */
declare module "subset-font" {
  /**
   * Cuts a font down to the glyphs of a text, with all that they combine to.
   *
   * @param variationAxes the one value of each axis that stays
   */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      readonly targetFormat: "woff2";
      readonly variationAxes: Readonly<Record<string, number>>;
    },
  ): Promise<Buffer<ArrayBuffer>>;
}
