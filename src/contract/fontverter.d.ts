/** The package comes without types; this is what is used of it. */
declare module "fontverter" {
  const fontverter: {
    /** From one format of a font file to another. */
    convert(font: Buffer, to: "truetype" | "woff2"): Promise<Buffer>;
  };
  export default fontverter;
}
