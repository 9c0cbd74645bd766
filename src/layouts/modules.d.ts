/** Imports the sheets of the theme and of `site/`: made by the plugin. */
declare module "virtual:commonplace/styles" {}
/** Their tokens alone, with the sheet of `site/`. */
declare module "virtual:commonplace/tokens" {}

/** The Markdown and MDX files of `site/pages`, by the pattern of their route. */
declare module "virtual:commonplace/markdown" {
  import type { MarkdownInstance } from "astro";

  interface Frontmatter {
    readonly title: string;
    readonly description?: string;
    readonly language?: string;
    readonly unlisted?: boolean;
    readonly layout?: string;
  }
  const pages: Readonly<Record<string, () => Promise<MarkdownInstance<Frontmatter>>>>;
  export default pages;
}
/** What an installed site needs: made by `installPlugin()`. */
declare module "virtual:commonplace/install" {
  /** In base64, by name. */
  export const png: Readonly<Record<string, string>>;
  /** `favicon.ico` in base64. */
  export const ico: string;
  /** Colour of the page in each scheme, as `#rrggbb`. */
  export const papers: { readonly light: string; readonly dark: string };
}

/** The package comes without types; this is what is used of it. */
declare module "fontverter" {
  const fontverter: {
    /** From one format of a font file to another. */
    convert(font: Buffer, to: "truetype" | "woff2"): Promise<Buffer>;
  };
  export default fontverter;
}
