/** Imports the style sheets of the theme and of `site/`. */
declare module "virtual:commonplace/styles" {}
/** Imports the theme's tokens and the style sheet of `site/`. */
declare module "virtual:commonplace/tokens" {}

/** The Markdown and MDX files of `site/pages`, by route pattern. */
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
/** Icons and colours of an installed site, from `installPlugin()`. */
declare module "virtual:commonplace/install" {
  /** Icons in base64, by name. */
  export const png: Readonly<Record<string, string>>;
  /** `favicon.ico` in base64. */
  export const ico: string;
  /** Page background by the colour scheme of the system, as `#rrggbb`. */
  export const papers: { readonly light: string; readonly dark: string };
}

/** The package has no types. */
declare module "fontverter" {
  const fontverter: {
    convert(font: Buffer, to: "truetype" | "woff2"): Promise<Buffer>;
  };
  export default fontverter;
}
