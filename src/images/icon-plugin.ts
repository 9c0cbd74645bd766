/** The Vite plugin that hands the icons and the colours of the window to pages: sharp is no part of a bundle. */
import { readFile } from "node:fs/promises";
import { makeIcons } from "./icons.ts";

const ID = "virtual:commonplace/install";

export interface InstallOptions {
  /** Path of the site's mark, an SVG file. */
  readonly mark: string;
  /** Colour of the page in each scheme, as `#rrggbb`. */
  readonly papers: { readonly light: string; readonly dark: string };
}

export function installPlugin({ mark, papers }: InstallOptions) {
  return {
    name: "commonplace:install",
    resolveId: (source: string) => (source === ID ? `\0${ID}` : null),
    async load(id: string) {
      if (id !== `\0${ID}`) return null;
      const { png, ico } = await makeIcons(await readFile(mark), papers.light);
      const coded = Object.entries(png).map(([name, bytes]) => [name, bytes.toString("base64")]);
      return [
        `export const png = ${JSON.stringify(Object.fromEntries(coded))};`,
        `export const ico = ${JSON.stringify(ico.toString("base64"))};`,
        `export const papers = ${JSON.stringify(papers)};`,
      ].join("\n");
    },
  };
}
