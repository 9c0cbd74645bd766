/** What an installed site needs: made by `installPlugin()`. */
declare module "virtual:commonplace/install" {
  /** In base64, by name. */
  export const png: Readonly<Record<string, string>>;
  /** `favicon.ico` in base64. */
  export const ico: string;
  /** Colour of the page in each scheme, as `#rrggbb`. */
  export const papers: { readonly light: string; readonly dark: string };
}
